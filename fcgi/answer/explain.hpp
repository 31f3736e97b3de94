#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/answer.hpp"

#include <string>

namespace fcgi {

// Returns how a request was answered, as one JSON object: its tree and query, and for each node of
// the plan the statement (`?` for every value) with its rows and time. Only rows that the caller
// may see are counted.
//
//     {"path", "status", "bytes",
//      "error": null or {"name", "message", "place", "received"},
//      "tree", "query",                     "query" in the notation of parser::dump
//      "nodes": [{"node", "parent", "attributes", "path", "source", "type", "fields",
//                 "sql", "form", "statements", "rows", "milliseconds"}], parents before children
//      "total": null or {"sql", "form", …, "milliseconds"},   null if the root's rows say it
//      "tables", "kept",                    "kept": the response may be cached
//      "stages": {"parse": milliseconds, …}}
//
// `context` is that of a request with Wanted::explanation.
std::string explanation(Answer const& answer, Trace const& trace, RequestContext const& context);

} // namespace fcgi
