#pragma once

#include "db/mysql/connection.hpp"

#include <string>

namespace db {

// `GRANT SELECT ON `cms`.* TO 'reader'@'localhost'`; `account` is quoted already.
std::string grant_of_reading(std::string const& database, std::string const& account);

// 'name'@'host', in quotes.
std::string quoted_account(std::string const& name, std::string const& host);

// What would help where no connection came about: `code` and `message` are of the server, or of its
// client library (2000 and above). One cure for each cause that these tell apart.
std::string cure_of_refusal(int code, std::string const& message, DatabaseUrl const& url);

} // namespace db
