#pragma once

#include "db/strict/names.hpp"

namespace db {

// What Strapi 5.54 finds when the names are known to be right and those that the caller may not use
// are gone.

// `*` in the place of an attribute's options stands for the attributes of its entries, and those
// are no options: the first is told, without `source` and `param`.
Refusal check_wildcards(Names const& names, parser::Tree const& populate, ContentType const& type);

// The values of `sort`, `filters`, `fields` and `populate`, in this order.
Refusal check_values(Names const& names, parser::Object const& query, ContentType const& type);

} // namespace db
