#include "db/mysql/server_error.hpp"

#include "parser/base/limits.hpp"

#include <cppconn/exception.h>

#include <algorithm>
#include <string>
#include <utility>

namespace db {

namespace {

// Server errors that mean that there is no connection, or no longer one, or nothing left to serve
// it with. The client library's own errors have numbers from 2000 to 2999.
constexpr int connection_errors[] = {
    1037, // out of memory
    1042, // host name can't be resolved
    1043, // bad handshake
    1044, // access to the database denied
    1045, // access denied
    1047, // a Galera node has no majority, or is not ready
    1049, // unknown database
    1053, // server shutdown in progress
    1077, // server shut down
    1129, // host is blocked
    1130, // host is not allowed to connect
    1152, // connection aborted
    1153, // packet larger than max_allowed_packet, and the connection is gone
    1158, // communication packets, 1158 to 1161
    1159, 1160, 1161,
    1184, // connection aborted
    1698, // access denied without password
    1927, // connection was killed (MariaDB)
    3169, // session was killed (MySQL)
    4031, // server ended an idle session (MySQL)
};

// Errors that mean that no connection, disk, memory or thread is left, or that somebody killed the
// statement: another request may succeed, and the same one later. The numbers below 1000 come from
// the part of the server that deals with the operating system.
constexpr int exhaustions[] = {
    1,    // a temporary file can't be created
    3,    // a temporary file can't be written, either
    20,   // the disk is full
    126,  // a temporary table's index ran out of room halfway
    1021, // the disk is full
    1026, // a file can't be written
    1040, // all connections are taken
    1041, // out of memory
    1114, // a temporary table is full
    1135, // a thread can't be created
    1203, // the user has too many connections
    1226, // the user is over a limit
    1317, // somebody killed the statement
    1878, // a temporary file can't be written
};

// A storage engine failed with an error of the operating system.
constexpr int engine_error = 1030;

constexpr int statement_timeouts[] = {
    1969, // max_statement_time (MariaDB)
    3024, // max_execution_time (MySQL)
};

constexpr int lost_races[] = {
    1020, // record has changed since the snapshot (MariaDB)
    1205, // lock wait timeout
    1213, // deadlock
    1412, // table definition has changed since the snapshot
};

constexpr int schema_errors[] = {
    1054, // unknown column
    1146, // no such table
};

constexpr int missing_grants[] = {
    1142, // on a table
    1143, // on a column
    1227, // on the server
};

// Hundreds of keys to sort by cause this: the client asked for too much, and nothing went wrong.
constexpr int out_of_sort_memory = 1038;

} // namespace

// libmariadb 3.3 names another plugin than the one that the server asked for, or half a name, so
// that its message is replaced.
std::string server_error_text(int code, std::string const& message) {
    return "database error " + std::to_string(code) + ": " +
           (code == refused_login ? "the server asks for the password, or for something that "
                                    "reveals it, without proving which server it is"
                                  : message);
}

parser::Error error_of(sql::SQLException const& exception,
                       std::chrono::milliseconds statement_timeout) {
    using parser::ErrorKind;
    int const code = exception.getErrorCode();
    auto const is_one_of = [code](auto const& codes) {
        return std::ranges::count(codes, code) > 0;
    };
    std::string cause = server_error_text(code, exception.what());
    if ((code >= 2000 && code < 3000) || is_one_of(connection_errors))
        return parser::connection_lost(std::move(cause));
    if (is_one_of(statement_timeouts))
        return parser::timed_out(&parser::Limits::statement, statement_timeout, std::move(cause));
    if (is_one_of(lost_races)) return parser::conflict(std::move(cause));
    bool const is_full =
        code == engine_error && cause.find("No space left on device") != std::string::npos;
    if (is_one_of(exhaustions) || is_full) return parser::unavailable(std::move(cause));
    if (code == out_of_sort_memory)
        return {ErrorKind::invalid,
                "sort: expected fewer keys, the database has no memory to sort by so many",
                std::move(cause)};
    bool const is_of_schema = is_one_of(schema_errors);
    if (is_of_schema || is_one_of(missing_grants))
        return {is_of_schema ? ErrorKind::schema_changed : ErrorKind::not_granted, "Bad Gateway",
                std::move(cause)};
    return {.cause = std::move(cause)};
}

} // namespace db
