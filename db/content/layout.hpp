#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

// The tables that Strapi 4.26 or 5.54 makes for a schema on MySQL and MariaDB, down to the names of
// their keys.

namespace db {

struct ColumnDefinition {
    std::string name;
    ColumnType type;
};

// Refers from a column to the `id` of another table.
struct ForeignKey {
    enum class OnDelete : std::uint8_t { cascade, set_null };
    std::string name;
    std::string column;
    std::string table;
    OnDelete on_delete = OnDelete::cascade;
};

// Every table also has a primary key `id`, an unsigned integer that counts by itself.
struct TableDefinition {
    std::string name;
    std::vector<ColumnDefinition> columns = {};
    std::vector<TableIndex> indexes = {};
    std::vector<ForeignKey> foreign_keys = {};
};

// Returns the types' own tables, then those of their links and components, so that nearly every
// table comes after those that it refers to. An error names a column type that we can't declare, a
// name that is longer than the server allows, or one that two columns would have.
parser::Result<std::vector<TableDefinition>> layout(Schema const& schema);

// What a database has of a table, by names in lower case: the server compares these names without
// regard to letter case.
struct ExistingTable {
    std::set<std::string> columns;
    std::set<std::string> indexes;
    std::set<std::string> foreign_keys;
};

using ExistingTables = std::map<std::string, ExistingTable>;
parser::Result<ExistingTables> read_existing_tables(Connection& connection);
// Returns null if there is none.
ExistingTable const* find_table(ExistingTables const& tables, std::string const& name);

// Returns the parts of a table that the database lacks. A column that exists with another type, or
// a key of the same name over other columns, is not missing.
TableDefinition missing_parts(TableDefinition const& table, ExistingTable const& existing);

} // namespace db
