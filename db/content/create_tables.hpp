#pragma once

#include "db/content/layout.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/sql_text.hpp"
#include "db/schema/schema.hpp"

#include <string>
#include <vector>

// Statements that MariaDB 10.6 and MySQL 8.0 both take.

namespace db {

// Returns the statements, in order, that give the database all tables, columns, keys and rows that
// its version of Strapi would make for the schema; none if it has them. Nothing that exists is
// changed. `connection` is only read; null stands for an empty utf8mb4 database. New tables get the
// collation, which is one of utf8mb4. If it is empty they get the database's, or the default one of
// utf8mb4 if the database has another character set.
parser::Result<std::vector<SqlText>> creation_of(Schema const& schema, Connection* connection,
                                                 std::string const& collation);

// `defaults` replaces the database's own defaults: ` DEFAULT CHARACTER SET …`, or nothing.
SqlText create_table(TableDefinition const& table, SqlText const& defaults);

} // namespace db
