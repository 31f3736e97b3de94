#pragma once

#include "db/mysql/connection.hpp"

#include <chrono>
#include <string_view>

namespace db {

// Takes the lock with that name (at most 30 bytes) of the connection's database; the end of the
// connection releases it. Returns false if another connection held it for all of `wait`. In a
// cluster that has no such locks, it always returns true.
parser::Result<bool> take_lock(Connection& connection, std::string_view name,
                               std::chrono::seconds wait);

} // namespace db
