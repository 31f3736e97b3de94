#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

namespace db {

// Keeps other imports out: two at once would give their components the same ids, and take each
// other's rows for errors. In a cluster without such locks they can still run at once. The lock is
// released when the connection ends.
parser::Result<void> lock_for_import(Connection& connection);

// Reads the columns of the tables. Fails if something that the schema needs is missing.
parser::Result<TableColumns> find_tables(Connection& connection, Schema& schema);

// Begins a transaction in which a value that a column can't hold is an error and never truncated.
parser::Result<void> begin_import(Connection& connection);

// Commits or rolls back. True means that the connection was lost during the commit, so that either
// everything is stored or nothing.
parser::Result<bool> end_import(Connection& connection, bool is_to_stay);

// InnoDB updates its statistics in the middle of a long transaction, and not again when that ends.
// With these figures of the indexes the server would read whole tables for one page. A failure is
// ignored, since everything is imported by now.
void refresh_statistics(Connection& connection, TableColumns const& tables);

} // namespace db
