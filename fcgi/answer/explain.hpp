#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/answer.hpp"

#include <string>

namespace fcgi {

// How a request was answered, as one JSON object: its tree and query, and for each node of the plan
// the statement (`?` for every value) with its rows and time. Rows are those that the caller may
// see.
//
//     {"path", "status", "bytes",
//      "error": null or {"name", "message", "place", "received"},
//      "tree", "query",                     "query" in the notation of parser::dump
//      "nodes": [{"node", "parent", "attributes", "path", "source", "type", "fields", "sql",
//                 "statements", "rows", "milliseconds"}],     parents before their children
//      "total": null or {"sql", "rows", "milliseconds"},   null where the root's rows tell it
//      "stages": {"parse": milliseconds, …}}
//
// `context` is that of a request whose explanation was wanted.
std::string explanation(Answer const& answer, Trace const& trace, RequestContext const& context);

} // namespace fcgi
