#pragma once

#include "db/plan/read_plan.hpp"
#include "db/schema/permissions.hpp"
#include "parser/base/limits.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <optional>
#include <set>
#include <string>

namespace db {

enum class Action : std::uint8_t { find, find_one, find_single, count };

// The settings of the project's API, and those of this installation.
struct ApiOptions {
    std::uint64_t default_limit = 25;
    std::optional<std::uint64_t> max_limit = 100; // absent: none
    bool with_count = true;
    unsigned default_depth = 5;      // of `populate=deep`
    bool strict = false;             // what would be ignored is an error
    std::string default_locale = {}; // of requests that name none
    // The format of entries of types with documents.
    ReadPlan::Format document_format = ReadPlan::Format::flat;
    // UIDs of components that zones have rows of, though they do not list them.
    std::set<std::string> unlisted = {};
};

struct ReadTarget {
    ContentType const* type;
    Action action = Action::find;
    std::string id = {}; // of find_one, as in the URL: MySQL compares it with the column
    // A plugin's type: no envelope, no `pagination` (start and limit at the root instead), no
    // default limit.
    bool plain = false;
    // A plugin's entry: nothing of the query is used but `populate`.
    bool populates_only = false;
};

// Returns the first reason why Strapi 5.54 refuses a query, in its order and with its text: names
// in `filters`, `sort`, `fields` and `populate`; then what `*` inside of `populate` stands for;
// then values. Where Strapi fails instead, the name is refused. A relation that the caller may not
// see is ignored in `populate` and refused everywhere else.
//
// All names of a query that passes are found by bind(), which checks numbers and comparisons.
std::optional<parser::Error> validate(parser::Object const& query, ReadTarget const& target,
                                      Schema const& schema, Permissions const& permissions);

// Turns names into schema objects and values into literals. The error is the one that Strapi
// reports: names before values; filters, sort, fields, populate in this order; within one of them
// unknown names before private before unpermitted ones. Reads nothing but its arguments and the
// time zone.
parser::Result<ReadPlan> bind(parser::Query const& query, ReadTarget const& target,
                              Schema const& schema, Permissions const& permissions,
                              ApiOptions const& options, parser::Limits const& limits);

} // namespace db
