#pragma once

#include "db/schema/attribute_types.hpp"

#include <span>
#include <string_view>

// What the values of scalars are, in answers and in questions.

namespace fcgi {

// Which operators make sense depends on the values that they compare.
enum OperatorGroup : unsigned { equality = 1, order = 2, pattern = 4, superset = 8 };

// Attributes of several types share a filter, `TextFilter`, of values that have a schema too,
// `TextValue`.
struct SharedFilter {
    std::string_view name;
    std::string_view value; // schema of one value
    unsigned groups;
};
std::span<SharedFilter const> shared_filters();

// JSON Schema of what fcgi/json/scalar_json.hpp writes, NULL included.
std::string_view answered_schema(db::ScalarClass scalar);

// The name of one of shared_filters().
std::string_view filter_name(db::ScalarClass scalar);

} // namespace fcgi
