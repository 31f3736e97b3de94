#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <set>
#include <string>
#include <vector>

// What the account of a connection may do, for `check`.

namespace db {

// The tables that a schema names, its links' included.
std::set<std::string> tables_of(Schema const& schema);

// Those of `tables` that are there, but not for this account.
parser::Result<std::vector<std::string>> unreadable(Connection& connection,
                                                    std::set<std::string> const& tables);

// What the account is granted besides reading: INSERT, ALL PRIVILEGES…
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection);

} // namespace db
