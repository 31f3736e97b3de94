#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <string>
#include <vector>

namespace db {

// The statements, in order, after which the database has all tables, columns, keys and rows that
// its version of Strapi would have made for the schema; none if it has. Nothing that is there is
// changed. `connection` is only read; null stands for an empty utf8mb4 database. New tables have
// the collation, one of utf8mb4; empty: that of the database, or of utf8mb4 where the database's is
// none.
parser::Result<std::vector<SqlText>> creation_of(Schema const& schema, Connection* connection,
                                                 std::string const& collation);

} // namespace db
