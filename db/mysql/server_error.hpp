#pragma once

#include "db/mysql/database_url.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

// What errors of a server mean, and how to fix what it refuses.

namespace sql {
class SQLException;
} // namespace sql

namespace db {

// The client library's error number for a way to log in that DatabaseUrl::safe_logins lacks.
inline constexpr int refused_login = 5010;

// Returns the number and the text of an error, for people.
std::string server_error_text(int code, std::string const& message);

// Translates an error of the server, or of its client library (2000 to 2999), into one of the kinds
// that Connection::query has.
parser::Error error_of(sql::SQLException const& exception,
                       std::chrono::milliseconds statement_timeout);

// Returns a database's name as GRANT takes it, where `_` and `%` without a backslash are wildcards.
std::string granted_name(std::string const& database);

// Returns `GRANT SELECT ON `cms`.* TO 'reader'@'localhost'`; `account` is quoted already.
std::string grant_of_reading(std::string const& database, std::string const& account);

// What an account is for: to read the CMS's tables, or to follow the server's binlog.
enum class AccountUse : std::uint8_t { reading, following };

// Returns 'name'@'host', in quotes.
std::string quoted_account(std::string const& name, std::string const& host);
// Does the same with what CURRENT_USER() returns, name@host.
std::string quoted_account(std::string_view current_user);

// Returns the fix for a connection that could not be opened. `code` and `message` come from the
// server, or from its client library (2000 and above). There is one fix for each cause that these
// tell apart.
std::string fix_of_refusal(int code, std::string const& message, DatabaseUrl const& url,
                           AccountUse use = AccountUse::reading);

} // namespace db
