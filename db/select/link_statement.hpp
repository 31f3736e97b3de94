#pragma once

#include "db/select/statement.hpp"

// The statements of nodes whose rows a link leads to; for the sources of this module alone.

namespace db {

// Selects how many rows each parent has, one row for each.
Statement select_counts(Node const& node);
// Selects all rows of all parents.
Statement select_link(Node const& node);
// Selects with a start or limit for each parent: narrow rows are numbered, and the wide ones joined
// to them. The joined table keeps the alias of the entries, and the numbered rows take that of the
// link.
Statement select_window(Node const& node);
// Selects the same columns as select_window(), with a LIMIT for each parent. The wide rows are
// joined afterwards here, too.
SqlText select_branches(Node const& node);

} // namespace db
