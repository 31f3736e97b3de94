#pragma once

#include "db/plan/names.hpp"

namespace db {

// The checks that Strapi 5.54 makes when all names are known to be right and those that the caller
// may not use are removed.

// Refuses `*` instead of an attribute's options. It stands for the attributes of the related type,
// which are not options: the error names the first of them, without `source` and `param`.
Refusal check_wildcards(Names const& names, parser::Tree const& populate, ContentType const& type);

// Checks the values of `sort`, `filters`, `fields` and `populate`, in this order.
Refusal check_values(Names const& names, parser::Object const& query, ContentType const& type);

} // namespace db
