#pragma once

#include "db/mysql/sql_text.hpp"
#include "parser/base/error.hpp"

#include <compare>
#include <filesystem>
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

} // namespace db
