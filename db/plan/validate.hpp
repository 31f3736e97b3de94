#pragma once

#include "db/plan/bind.hpp"
#include "db/plan/invalid_key.hpp"
#include "parser/query_tree.hpp"

namespace db {

// Returns the first reason why Strapi 5.54 refuses a query, in its order and with its text: names
// in `filters`, `sort`, `fields` and `populate`; then what `*` inside of `populate` stands for;
// then values. Where Strapi fails instead, the name is refused. A relation that the caller may not
// see is ignored in `populate` and refused everywhere else.
//
// All names of a query that passes are found by bind(), which checks numbers and comparisons.
Refusal validate(parser::Object const& query, Target const& target, Schema const& schema,
                 Permissions const& permissions);

} // namespace db
