#pragma once

#include "db/content/layout.hpp"
#include "db/mysql/sql_text.hpp"

// These functions write tables as statements that MariaDB 10.6 and MySQL 8.0 both take.

namespace db {

// `defaults` replaces the database's own defaults: ` DEFAULT CHARACTER SET …`, or nothing.
SqlText create_table(Table const& table, SqlText const& defaults);

// Adds all that `parts` has to the table of that name.
SqlText alter_table(Table const& parts);

} // namespace db
