#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <optional>
#include <set>
#include <string>

namespace db {

// The tables of the connection's database and their columns, for read_columns().
parser::Result<TableColumns> read_table_columns(Connection& connection);

// database_version() of them.
parser::Result<std::optional<Version>> read_version(Connection& connection);

// Their names alone: a twentieth of the time where there are thousands.
parser::Result<std::set<std::string, std::less<>>> read_table_names(Connection& connection);

// Gives each custom field the type that its column was made for.
parser::Result<void> read_custom_fields(Connection& connection, Schema& schema);

// `unavailable` while Strapi 5 makes its tables of those of Strapi 4, for it does not answer
// before. It notes each step once it is done; before the last, entries lack their relations or
// drafts.
parser::Result<void> check_migration(Connection& connection, TableColumns const& tables);

// Whether a CMS has set the database up: Strapi notes its tables in `strapi_database_schema` when
// it first starts, which create-tables does not. Where the account may not read that: it has.
// Breaks the connection where there is no such table.
parser::Result<bool> find_cms(Connection& connection);

// The tables whose rows tell these two what no table or column does. Not each database has them.
TableNames cms_tables();

// set_has_cms() with what the database says.
parser::Result<void> read_has_cms(Connection& connection, Schema& schema);

} // namespace db
