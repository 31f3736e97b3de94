#include "db/mysql/refusal.hpp"

#include "db/mysql/server_error.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace db {

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
