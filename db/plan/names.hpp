#pragma once

#include "db/plan/invalid_key.hpp"
#include "db/schema/permissions.hpp"
#include "db/schema/schema.hpp"
#include "parser/query_tree.hpp"

#include <string_view>

// Checks the names in `filters`, `sort` and `fields`, at the root and inside of `populate`: errors
// name `param`. Strapi 5.54 walks a parameter once for each reason to refuse a name, so the first
// error is the first one of the first reason that applies.

namespace db {

struct Names {
    Schema const& schema;
    Permissions const& permissions;
};

Refusal check_filters(Names const& names, parser::Tree const& tree, ContentType const& type,
                      std::string_view param);
Refusal check_sort(Names const& names, parser::Tree const& tree, ContentType const& type,
                   std::string_view param);
Refusal check_fields(Names const& names, parser::Tree const& tree, ContentType const& type,
                     std::string_view param);

// Returns null for `id` and `documentId`, which every entry has, and for names that do not exist.
Attribute const* find_attribute(ContentType const& type, std::string_view name);

// Returns the type whose names may follow that of a relation to one type, a media attribute or a
// component; null for any other. The inverse of a polymorphic relation leads on in `populate`
// alone.
ContentType const* type_behind(Attribute const& attribute);

bool is_texts(parser::List const& list); // whether all elements are texts

} // namespace db
