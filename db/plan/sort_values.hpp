#pragma once

#include "db/plan/invalid_key.hpp"
#include "db/schema/schema.hpp"
#include "parser/query_tree.hpp"

namespace db {

// Returns whether `sort` says anything. Blank texts say nothing, nor do lists and objects of them.
bool has_sort(parser::Tree const& tree);

// Checks the directions in a `sort` of entries of `type`, and names that no order can be made of.
Refusal check_sort_values(parser::Tree const& tree, ContentType const& type);

} // namespace db
