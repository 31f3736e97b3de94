#include "db/mysql/server_error.hpp"

#include "parser/base/limits.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <cppconn/exception.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

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

namespace {

// Returns the account as the server names it, `'reader'@'10.0.0.7'`; if it does not, the host is
// `%`, or `localhost` for a socket.
std::string refused_account(std::string const& message, DatabaseUrl const& url) {
    constexpr std::string_view before = "for user ";
    auto const at = message.find(before);
    if (at == message.npos) return quoted_account(url.user, url.socket.empty() ? "%" : "localhost");
    auto const begin = at + before.size();
    return message.substr(begin, message.find_first_of(" \n", begin) - begin);
}

// MariaDB knows BINLOG MONITOR by MySQL's name, too.
std::string grant_of(AccountUse use, std::string const& account, DatabaseUrl const& url) {
    return use == AccountUse::reading
               ? grant_of_reading(url.name, account)
               : "GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO " + account;
}

// Returns the number of the system's error, which the client library puts in brackets at the end.
int system_error(std::string const& message) {
    auto const bracket = message.rfind('(');
    return bracket == message.npos ? 0 : std::atoi(message.c_str() + bracket + 1);
}

std::string fix_of_socket(int error, std::string const& path) {
    if (error == ENOENT)
        return "start the database server, or name its socket, which mariadb -e 'SELECT @@socket' "
               "prints: there is no " +
               path;
    if (error == EACCES)
        return "this account may not reach " + path + ": let it pass through the folders above";
    return "start the database server: nothing listens on " + path;
}

} // namespace

std::string quoted_account(std::string const& name, std::string const& host) {
    auto const quoted = [](std::string const& text) {
        return '\'' + boost::replace_all_copy(text, "'", "''") + '\'';
    };
    return quoted(name) + '@' + quoted(host);
}

std::string quoted_account(std::string_view current_user) {
    auto const host = current_user.rfind('@');
    return quoted_account(std::string(current_user.substr(0, host)),
                          std::string(current_user.substr(host + 1)));
}

std::string granted_name(std::string const& database) {
    std::string name;
    for (char const c : database) {
        if (c == '_' || c == '%' || c == '\\') name += '\\';
        name += c;
    }
    return name;
}

std::string grant_of_reading(std::string const& database, std::string const& account) {
    return "GRANT SELECT ON `" + boost::replace_all_copy(granted_name(database), "`", "``") +
           "`.* TO " + account;
}

std::string fix_of_refusal(int code, std::string const& message, DatabaseUrl const& url,
                           AccountUse use) {
    auto const account = refused_account(message, url);
    bool const is_reader = use == AccountUse::reading;
    // An administrator of the server can run these statements.
    auto const create = [&](std::string const& name) {
        return "CREATE USER " + name + " IDENTIFIED BY '…'; " + grant_of(use, name, url);
    };
    switch (code) {
    case 1044: // no privilege on the database, which need not exist
        return "as an administrator of the server, " + grant_of(use, account, url);
    case 1045: // no such account, or another password: the server does not say which
        return std::string("give the account's password") +
               (message.find("using password: NO") != message.npos
                    ? (is_reader ? ": `database` has none" : ": cache-password-file is not set")
                    : (is_reader ? " in `database` or database-password-file"
                                 : " in the file of cache-password-file")) +
               "; or create the account: " + create(account);
    case 1049:
        return "let `database` end with the name of the CMS's database; SHOW DATABASES lists all "
               "names";
    case 1130:
        return "let the account log in from this machine: " + create(quoted_account(url.user, "%"));
    case 1698: // unix_socket; MariaDB also says this of accounts that do not exist
        return "run the program as the system user of that name, by whom the server identifies the "
               "account: runuser -u " +
               url.user + " -- populate-fcgi …; or create the account: " + create(account);
    case 1040:
        return "lower `connections`, or raise max_connections on the server";
    case 1203:
    case 1226: // the message names the limit
        return "lower `connections`, or raise the limit of the account, max_user_connections";
    case 1129:
        return "on the server: mariadb-admin flush-hosts";
    case 2002:
    case 2003:
        if (!url.socket.empty()) return fix_of_socket(system_error(message), url.socket);
        return "start the database server, and check its bind-address and port: nothing listens "
               "on " +
               url.address();
    case 2005:
        return "the name `" + url.host + "` has no address: correct the host in `database`";
    case 2012: // error in the server's handshake
    case 2013: // lost connection during it, or silence
        return url.address() + " does not answer as a database: check that host and port are "
                               "right, and that no firewall is in between";
    case refused_login:
        return "add ssl-ca=FILE to `database`: then only a server with a verified certificate gets "
               "the password; or let the account log in by mysql_native_password or ed25519; or, "
               "for MySQL's sha2 passwords where nobody can intercept the connection, add "
               "get-server-public-key=on";
    case 2026:
        if (::access(url.ssl_ca.c_str(), R_OK) != 0)
            return "make " + url.ssl_ca + " readable for this account: " + std::strerror(errno);
        return "let ssl-ca in `database` name the authority that signed the server's certificate, "
               "and let the server offer TLS: SHOW VARIABLES LIKE 'have_ssl'";
    default:
        return "start the database server, and check host, account and password in `database`";
    }
}

} // namespace db
