#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

// What the database of a connection has, who made it, and what our account may do there.

namespace db {

// Reads the tables of the connection's database and their columns, for read_columns().
parser::Result<TableColumns> read_table_columns(Connection& connection);

// Reads these tables, and returns their database_version().
parser::Result<std::optional<Version>> read_version(Connection& connection);

// Reads only their names, which takes a twentieth of the time if there are thousands.
parser::Result<std::set<std::string, std::less<>>> read_table_names(Connection& connection);

// Gives each custom field the type that its column was made for.
parser::Result<void> read_custom_fields(Connection& connection, Schema& schema);

// Fails with `unavailable` while Strapi 5 turns the tables of Strapi 4 into its own, since Strapi
// does not answer before that, either. It notes each step once it is done; before the last, entries
// lack their relations or drafts.
parser::Result<void> check_migration(Connection& connection, TableColumns const& tables);

// Returns whether a CMS has set the database up: Strapi notes its tables in
// `strapi_database_schema` when it first starts, which create-tables does not. Returns true if the
// account may not read that table. Breaks the connection if there is no such table.
parser::Result<bool> find_cms(Connection& connection);

// Returns the tables whose rows check_migration() and find_cms() read. Not every database has them.
TableNames cms_tables();

// Calls set_has_cms() with what the database says.
parser::Result<void> read_has_cms(Connection& connection, Schema& schema);

// Returns the tables that a schema names, those of its links included.
std::set<std::string> tables_of(Schema const& schema);

// Returns those of `tables` that exist, but that this account may not read.
parser::Result<std::vector<std::string>> unreadable(Connection& connection,
                                                    std::set<std::string> const& tables);

// Returns what the account is granted besides reading in the connection's database: INSERT, ALL
// PRIVILEGES… Privileges on other databases do not count: MariaDB's public role has some on `test`.
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection);

// The database of the connection, and the account as the server knows it: 'reader'@'localhost'.
struct Account {
    std::string database;
    std::string name;
};
parser::Result<Account> read_account(Connection& connection);

} // namespace db
