#pragma once

#include "db/schema/schema.hpp"
#include "db/strict/invalid_key.hpp"
#include "parser/query_tree.hpp"

namespace db {

// Whether `sort` says anything. Blank texts say nothing, nor do lists and objects of them.
bool has_sort(parser::Tree const& tree);

// The directions in a `sort` of entries of `type`, and names that no order can be made of.
Refusal check_sort_values(parser::Tree const& tree, ContentType const& type);

} // namespace db
