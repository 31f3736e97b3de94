#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/sql_text.hpp"
#include "parser/base/error.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace db {

struct IndexColumn {
    std::string name;
    bool descending = false;
    auto operator<=>(IndexColumn const&) const = default;
};

// An index that `populate-fcgi indexes` suggests.
struct Index {
    std::string table;
    std::vector<IndexColumn> columns = {};
    auto operator<=>(Index const&) const = default;
};

// Returns a name that begins with `pf_` and depends on the columns alone: no longer than the server
// allows.
std::string name_of(Index const& index);

// Both let others read and write the table meanwhile, or fail. Of a hidden index, which MySQL alone
// has, only the sessions of db::Connection know that read.
SqlText creation_of(Index const& index, bool is_hidden = false);
SqlText removal_of(Index const& index);

// As long as such a statement waits for a table, so do all who use it.
inline constexpr std::string_view short_lock_wait = "SET SESSION lock_wait_timeout = 1;";

// Reads what creation_of() has written, each with a semicolon on a line of its own. Empty lines,
// those that begin with `--`, and `short_lock_wait` are skipped; any other is an error.
parser::Result<std::vector<Index>> read_indexes(std::string_view text);
// Does the same with a file.
parser::Result<std::vector<Index>> read_index_file(std::filesystem::path const& path);

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
