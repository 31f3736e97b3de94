#pragma once

#include "db/schema/attribute_types.hpp"

#include <span>
#include <string_view>

// The schemas of scalar values, in responses and in queries.

namespace fcgi {

// Which operators make sense depends on the values that they compare.
enum OperatorGroup : unsigned { equality = 1, order = 2, pattern = 4, superset = 8 };

// Attributes of several types share a filter, such as `TextFilter`. Its values have a schema too,
// `TextValue`.
struct SharedFilter {
    std::string_view name;
    std::string_view value; // schema of one value
    unsigned groups;
};
std::span<SharedFilter const> shared_filters();

// Returns the JSON Schema of what fcgi/answer/scalar_json.hpp writes, including NULL.
std::string_view answered_schema(db::ScalarClass scalar);

// Returns the name of the filter among shared_filters().
std::string_view filter_name(db::ScalarClass scalar);

} // namespace fcgi
