#pragma once

#include "db/select/statement.hpp"

// The statements of nodes whose rows a link leads to; for the sources of this room alone.

namespace db {

// How many rows each parent has, one row for each.
Statement select_counts(Node const& node);
// All rows of all parents.
Statement select_link(Node const& node);
// With start or limit for each parent: rows are numbered on narrow rows, the wide ones joined
// after. The joined table keeps the alias of the entries, and the numbered rows take that of the
// link.
Statement select_window(Node const& node);
// As select_window(), whose columns are these, with a LIMIT for each parent. The wide rows are
// joined after here, too.
SqlText select_branches(Node const& node);

} // namespace db
