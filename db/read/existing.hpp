#pragma once

#include "db/mysql/connection.hpp"
#include "db/read/index.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace db {

struct ExistingIndex {
    Index index; // its columns as far as they are whole, not the first characters of a text
    std::string name;
    bool is_unique = false;

    bool is(Index const& other) const {
        return index.table == other.table && name == name_of(other);
    }
};

// Returns the indexes of the database that statements may use, by table and name.
parser::Result<std::vector<ExistingIndex>> read_existing_indexes(Connection& connection);

// Returns those of the indexes that the database does not have.
parser::Result<std::vector<Index>> missing_indexes(Connection& connection,
                                                   std::vector<Index> indexes);

// Returns how many rows each table has, as the server estimates.
parser::Result<std::map<std::string, std::uint64_t, std::less<>>>
read_table_rows(Connection& connection);

} // namespace db
