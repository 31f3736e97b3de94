#pragma once

#include "db/mysql/connection.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>

// What commands that change indexes have in common.

namespace fcgi {

// Opens a connection of the tables' owner that waits for locks no longer than a second: as long as
// a change waits for a table, so do all who use it.
parser::Result<std::unique_ptr<db::Connection>> open_for_changes(Options const& options);

// Fails if a transaction has been open for some seconds. Returns false if the account may not see
// the transactions of others.
parser::Result<bool> expect_no_long_transaction(db::Connection& connection);

// Returns how many bytes are free where the server stores its tables. Returns nothing if that
// cannot be seen: the server may be on another machine.
std::optional<std::uint64_t> free_disk(db::Connection& connection, Options const& options);

// Creates or drops an index, and prints the statement before.
parser::Result<void> run_change(db::Connection& connection, db::SqlText const& statement);

} // namespace fcgi
