#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

namespace db {

// Before an import: two at once would give their components the same ids, and take each other's
// rows for mistakes. Where a cluster has no such locks, they may. The end of the connection gives
// the lock back.
parser::Result<void> lock_for_import(Connection& connection);

// The tables, which have to have all that the schema needs.
parser::Result<TableColumns> find_tables(Connection& connection, Schema& schema);

// A transaction in which what a column can't hold is an error, never cut to size.
parser::Result<void> begin_import(Connection& connection);

// Commits it, or rolls it back. True: the connection was lost while it was committed, so that all
// of it is stored, or nothing.
parser::Result<bool> end_import(Connection& connection, bool is_to_stay);

// InnoDB takes its statistics in the midst of a long transaction, and not again once it is over.
// What they then say of the indexes makes the server read whole tables for one page. All is
// imported by now, so nothing comes of a failure.
void refresh_statistics(Connection& connection, TableColumns const& tables);

} // namespace db
