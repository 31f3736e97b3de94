#pragma once

#include "parser/query_tree.hpp"

namespace parser {

// Parameters that a site adds to requests. They are data, not query text: no limit of qs applies.
struct DefaultParameters {
    Object absent; // for requests that do not name the parameter
    Object always; // in place of whatever the request says

    bool empty() const { return absent.empty() && always.empty(); }
};

// Works like assignments to members of `ctx.query` in a middleware of the CMS: a replaced parameter
// keeps its position, an added one comes last.
void apply(DefaultParameters const& parameters, Object& query);

} // namespace parser
