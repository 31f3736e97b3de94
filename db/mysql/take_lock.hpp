#pragma once

#include "db/mysql/connection.hpp"

#include <chrono>
#include <string_view>

namespace db {

// Takes the lock of that name, at most 30 bytes, of the connection's database; its end gives it
// back. False: for so long another connection had it. Where a cluster has no such locks they are
// always taken.
parser::Result<bool> take_lock(Connection& connection, std::string_view name,
                               std::chrono::seconds wait);

} // namespace db
