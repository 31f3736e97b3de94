#pragma once

#include "db/content/import.hpp"

namespace db {

// Keeps other imports out: two at once would give their components the same ids, and take each
// other's rows for errors. In a cluster without such locks they can still run at once. The lock is
// released when the connection ends.
parser::Result<void> lock_for_import(Connection& connection);

// Reads the columns of the tables. Fails if something that the schema needs is missing.
parser::Result<TableColumns> find_tables(Connection& connection, Schema& schema);

// Returns why the content is not to be replaced: `the database site belongs to a CMS: …`. Empty if
// create-tables or an import has made all of it, or `replaced` is the name of the database. Fails
// if that is the name of another one.
parser::Result<std::string> owner_of(Connection& connection, TableColumns const& tables,
                                     std::string const& replaced);

// Calls `write` within a transaction in which a value that a column can't hold is an error and
// never truncated, and stores what it has written if it counts no mistakes.
parser::Result<ImportCount> store(Connection& connection, TableColumns const& tables, bool is_trial,
                                  std::function<parser::Result<ImportCount>()> const& write);

} // namespace db
