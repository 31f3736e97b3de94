#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <set>
#include <string>
#include <vector>

// Finds what the account of a connection may do, for `check`.

namespace db {

// Returns the tables that a schema names, those of its links included.
std::set<std::string> tables_of(Schema const& schema);

// Returns those of `tables` that exist, but that this account may not read.
parser::Result<std::vector<std::string>> unreadable(Connection& connection,
                                                    std::set<std::string> const& tables);

// Returns what the account is granted besides reading in the connection's database: INSERT, ALL
// PRIVILEGES… Privileges on other databases do not count: MariaDB's public role has some on `test`.
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection);

// The database of the connection, and the account as the server knows it: 'reader'@'localhost'.
struct Account {
    std::string database;
    std::string name;
};
parser::Result<Account> read_account(Connection& connection);

} // namespace db
