#pragma once

#include "db/read/statement.hpp"

// The statements of nodes whose rows a link leads to; for the sources of this module alone.

namespace db {

// Selects how many rows each parent has, one row for each.
Statement select_counts(Node const& node);
// Returns whether select_difference() counts the same.
bool has_difference(Node const& node);
// Selects the same as select_counts(): how many links each parent has, less those whose entries
// fail.
SqlText select_difference(Node const& node);
// Selects all rows of all parents.
Statement select_link(Node const& node);
// Selects with a start or limit for each parent: it numbers narrow rows, and joins the wide ones to
// them. The joined table keeps the alias of the entries, and the numbered rows have that of the
// link.
Statement select_window(Node const& node);
// Selects the same columns as select_window(), with one SELECT with a LIMIT for each parent. It
// also joins the wide rows afterwards.
SqlText select_branches(Node const& node);

} // namespace db
