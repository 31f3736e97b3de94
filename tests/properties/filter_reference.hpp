#pragma once

#include "db/schema/schema.hpp"
#include "parser/query_tree.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

// What Strapi makes of a tree of filters, whatever is in it: written by its code alone (the
// packages @strapi/utils and @strapi/database of 4.26.2 and 5.54.0: convert-query-params, validate,
// where), and not by ours. The outcome is the same conditions in plain words, which both answer
// alike.

namespace properties {

// Plain conditions.
struct Conditions {
    enum class Kind { all, any, none, related, compare };
    Kind kind = Kind::all;
    std::vector<Conditions> members = {};                // none, related: one
    std::string name = {};                               // related, compare: the attribute
    std::string op = {};                                 // compare
    std::vector<std::optional<std::string>> values = {}; // compare
};

struct FilterOutcome {
    enum class Kind {
        conditions, // entries that satisfy them; all entries if there are none
        failure,    // 400 or 500
        // A condition is compared with what is none, or lost: Strapi answers what nobody asked for.
        nonsense,
        unknown, // not followed here
    };
    Kind kind;
    std::optional<Conditions> conditions = {};
};

FilterOutcome strapi_filters(parser::Tree const& filters, db::ContentType const& type,
                             db::Version version);

// Returns the conditions as the parameter `filters`; empty if there are none.
std::string filters_text(std::optional<Conditions> const& conditions);

} // namespace properties
