#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

namespace db {

// The tables of the connection's database and their columns, for read_columns().
parser::Result<TableColumns> read_table_columns(Connection& connection);

} // namespace db
