#pragma once

#include "db/mysql/connection.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace db {

// A database's name as GRANT takes it, where `_` and `%` without a backslash stand for others.
std::string granted_name(std::string const& database);

// `GRANT SELECT ON `cms`.* TO 'reader'@'localhost'`; `account` is quoted already.
std::string grant_of_reading(std::string const& database, std::string const& account);

// What an account is for: to read the CMS's tables, or to follow the server's log of changes.
enum class AccountUse : std::uint8_t { reading, following };

// 'name'@'host', in quotes.
std::string quoted_account(std::string const& name, std::string const& host);
// The same of what CURRENT_USER() says, name@host.
std::string quoted_account(std::string_view current_user);

// What would help where no connection came about: `code` and `message` are of the server, or of its
// client library (2000 and above). One cure for each cause that these tell apart.
std::string cure_of_refusal(int code, std::string const& message, DatabaseUrl const& url,
                            AccountUse use = AccountUse::reading);

} // namespace db
