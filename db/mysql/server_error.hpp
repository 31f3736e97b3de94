#pragma once

#include "parser/base/error.hpp"

#include <chrono>
#include <string>

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

} // namespace db
