#pragma once

#include "db/strict/invalid_key.hpp"
#include "parser/query_tree.hpp"

namespace db {

// Whether `sort` says anything. Blank texts say nothing, nor do lists and objects of them.
bool has_sort(parser::Tree const& tree);

// The directions in `sort`, and names that no order can be made of.
Refusal check_sort_values(parser::Tree const& tree);

} // namespace db
