#pragma once

#include "parser/query_tree.hpp"

namespace parser {

// Parameters that a site gives requests: data, not query text, so that no limit of qs applies.
struct DefaultParameters {
    Object absent; // for requests that do not name the parameter
    Object always; // in place of whatever the request says

    bool empty() const { return absent.empty() && always.empty(); }
};

// As assignments to the members of `ctx.query` do it in a middleware of the CMS: what is replaced
// stays where it stands, what is added comes last.
void apply(DefaultParameters const& parameters, Object& query);

} // namespace parser
