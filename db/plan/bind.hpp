#pragma once

#include "db/plan/read_plan.hpp"
#include "db/schema/permissions.hpp"
#include "parser/base/limits.hpp"
#include "parser/query.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace db {

enum class Action : std::uint8_t { find, find_one, find_single, count };

// What a project may have set for its API, and what the installation has set for us.
struct ApiOptions {
    std::uint64_t default_limit = 25;
    std::optional<std::uint64_t> max_limit = 100; // absent: none
    bool with_count = true;
    unsigned default_depth = 5;      // of `populate=deep`
    bool strict = false;             // an error for what would be ignored
    std::string default_locale = {}; // of lists that name none
    // Of entries of types with documents: flat or documents.
    ReadPlan::Format document_format = ReadPlan::Format::flat;
};

struct Target {
    ContentType const* type;
    Action action = Action::find;
    std::string id = {}; // of find_one, as in the URL: MySQL compares it with the column
    // Of a plugin: no envelope, no `pagination` (start and limit at the root instead), no default
    // limit.
    bool plain = false;
    // Of a plugin's entry: nothing of the query is used but `populate`.
    bool populates_only = false;
};

// Turns names into schema objects and values into literals. The first error is the one that the
// reference reports: names before values; filters, sort, fields, populate in this order; within one
// of them unknown names before private before unpermitted ones. Reads nothing but its arguments.
parser::Result<ReadPlan> bind(parser::Query const& query, Target const& target,
                              Schema const& schema, Permissions const& permissions,
                              ApiOptions const& options, parser::Limits const& limits);

} // namespace db
