#pragma once

#include "db/plan/bind.hpp"
#include "db/strict/invalid_key.hpp"
#include "parser/query_tree.hpp"

namespace db {

// The first thing that Strapi 5.54 refuses a query for, in its order and with its text: names in
// `filters`, `sort`, `fields` and `populate`; then what `*` inside of `populate` comes to; then
// values. Where Strapi fails instead, the name is refused. A relation that the caller may not see
// is not refused in `populate`, where nothing comes of it, and everywhere else.
//
// What is let through has names that bind() finds. Numbers and comparisons are looked at there.
Refusal validate(parser::Object const& query, Target const& target, Schema const& schema,
                 Permissions const& permissions);

} // namespace db
