#pragma once

#include "db/schema/schema.hpp"

#include <string>
#include <vector>

// The tables that Strapi 4.26 or 5.54 makes for a schema on MySQL and MariaDB, down to the names of
// their keys.

namespace db {

struct Column {
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
struct Table {
    std::string name;
    std::vector<Column> columns;
    std::vector<TableIndex> indexes;
    std::vector<ForeignKey> foreign_keys;
};

// Returns the types' own tables, then those of their links and components, so that nearly every
// table comes after those that it refers to. An error names a column type that we can't declare, a
// name that is longer than the server allows, or one that two columns would have.
parser::Result<std::vector<Table>> layout(Schema const& schema);

} // namespace db
