#pragma once

#include "db/sql/sql_text.hpp"
#include "db/tables/layout.hpp"

// Tables as statements that MariaDB 10.6 and MySQL 8.0 both take.

namespace db {

// `charset`: declare utf8mb4, for a database whose own default is another; else the table has the
// database's.
SqlText create_table(Table const& table, bool charset);

// Adds all that `parts` has to the table of that name.
SqlText alter_table(Table const& parts);

} // namespace db
