#pragma once

#include "db/content/import.hpp"

namespace db {

struct Destination {
    TableColumns tables;
    // Why the content is not to be replaced: `the database site belongs to a CMS: …`. Empty if
    // create-tables or an import has made all of it, or the caller has named the database.
    std::string refusal;
};

// Reads the tables, and keeps other imports out until the connection ends: two at once would give
// their components the same ids, and take each other's rows for errors. In a cluster without such
// locks they can still run at once. Fails if another import is running, if something that the
// schema needs is missing, or if `replaced` is the name of another database.
parser::Result<Destination> prepare_import(Connection& connection, Schema& schema,
                                           std::string const& replaced);

// Calls `write` within a transaction in which a value that a column can't hold is an error and
// never truncated, and stores what it has written if it counts no errors.
parser::Result<ImportCount> store(Connection& connection, TableColumns const& tables, bool is_trial,
                                  std::function<parser::Result<ImportCount>()> const& write);

} // namespace db
