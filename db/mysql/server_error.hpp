#pragma once

#include "parser/base/error.hpp"

#include <chrono>
#include <string>

namespace sql {
class SQLException;
} // namespace sql

namespace db {

// The client library's number for a way to log in that is not of DatabaseUrl::safe_logins.
inline constexpr int refused_login = 5010;

// Number and text of a refusal, for people.
std::string server_error_text(int code, std::string const& message);

// What a refusal of the server's, or of its client library (2000 to 2999), means here: the kinds
// are those of Connection::query.
parser::Error error_of(sql::SQLException const& exception,
                       std::chrono::milliseconds statement_timeout);

} // namespace db
