#include "db/mysql/connection.hpp"

#include <boost/url/parse.hpp>

#include <charconv>

namespace db {

namespace {

// Says nothing of what was received: it may hold the password.
parser::Error url_error(std::string_view expected) {
    std::string message = "database: expected ";
    return {parser::ErrorKind::configuration, message.append(expected)};
}

// Of a URL that is of another kind of database.
parser::Error other_kind(std::string_view scheme) {
    std::string const kind = scheme.starts_with("postgres") ? "PostgreSQL"
                             : scheme.starts_with("sqlite") ? "SQLite"
                                                            : "MongoDB";
    return url_error("mysql://user:password@host:port/name, of MySQL or MariaDB: this names a " +
                     kind + " database, which is not read");
}

} // namespace

parser::Result<DatabaseUrl> parse_database_url(std::string_view text) {
    for (std::string_view const scheme : {"postgres:", "postgresql:", "sqlite:", "mongodb"})
        if (text.starts_with(scheme)) return other_kind(scheme);
    if (text.starts_with("mariadb:")) return url_error("mysql://…, for MariaDB as well");
    auto const parsed = boost::urls::parse_uri(text);
    // A # or / in a password would end the authority early.
    if (!parsed || parsed->scheme() != "mysql" || !parsed->has_authority() ||
        parsed->has_fragment())
        return url_error("mysql://user:password@host:port/name, with @ : / ? # % in a name or a "
                         "password written as %40 %3A %2F %3F %23 %25");
    DatabaseUrl url;
    url.host = parsed->host_address();
    if (parsed->has_port()) {
        std::string_view const port = parsed->port();
        std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (url.port == 0 || url.port > 65'535) return url_error("a port from 1 to 65535");
    }
    url.user = parsed->user();
    url.password = parsed->password();
    auto const path = parsed->segments();
    if (path.size() != 1 || path.front().empty())
        return url_error("the name of one database after the host: mysql://user@host/name");
    url.name = path.front();
    for (auto const& option : parsed->params()) {
        if (option.key == "socket")
            url.socket = option.value;
        else if (option.key == "ssl-ca")
            url.ssl_ca = option.value;
        else
            return url_error("no option but socket and ssl-ca");
    }
    if (url.host.empty()) url.host = "localhost";
    return url;
}

} // namespace db
