#include "db/mysql/database_url.hpp"

#include "parser/base/units.hpp"

#include <boost/url/parse.hpp>

#include <charconv>
#include <memory>
#include <utility>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace db {

namespace {

// Says nothing of what was received: it may hold the password.
parser::Error url_error(std::string_view expected) {
    std::string message = "database: expected ";
    return {parser::ErrorKind::configuration, message.append(expected)};
}

// Returns the error for a URL of another kind of database.
parser::Error other_kind(std::string_view scheme) {
    std::string const kind = scheme.starts_with("postgres") ? "PostgreSQL"
                             : scheme.starts_with("sqlite") ? "SQLite"
                                                            : "MongoDB";
    return url_error("mysql://user:password@host:port/name, of MySQL or MariaDB: this names a " +
                     kind + " database, which is not read");
}

constexpr std::string_view expected_url =
    "mysql://user:password@host:port/name, with @ : / ? # % in a name or a password written as %40 "
    "%3A %2F %3F %23 %25; hosts with the same content with a comma between";

// Returns the URL with only its first host, and all hosts.
std::pair<std::string, std::vector<std::string>> split_hosts(std::string_view text) {
    constexpr std::string_view before = "//";
    auto const authority = std::min(text.find(before), text.size() - before.size()) + before.size();
    auto const end = std::min(text.find_first_of("/?#", authority), text.size());
    auto const at = text.substr(0, end).rfind('@');
    auto const begin = at == text.npos || at < authority ? authority : at + 1;
    std::vector<std::string> hosts;
    for (auto rest = text.substr(begin, end - begin);;) {
        auto const comma = rest.find(',');
        hosts.emplace_back(rest.substr(0, comma));
        if (comma == rest.npos) break;
        rest.remove_prefix(comma + 1);
    }
    auto url = std::string(text.substr(0, begin)) + hosts.front();
    url += text.substr(end);
    return {std::move(url), std::move(hosts)};
}

parser::Result<void> read_host(boost::urls::url_view const& parsed, DatabaseUrl& url) {
    url.host = parsed.host_address();
    url.port = DatabaseUrl().port;
    if (parsed.has_port()) {
        std::string_view const port = parsed.port();
        std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (url.port == 0 || url.port > 65'535) return url_error("a port from 1 to 65535");
    }
    return {};
}

parser::Result<void> read_option(std::string const& key, std::string const& value, DatabaseUrl& url,
                                 HostRules& rules) {
    using Balance = HostRules::Balance;
    auto const read_time = [&](std::chrono::milliseconds& time) -> parser::Result<void> {
        auto const read = parser::read_time(value);
        if (!read || read->count() == 0) return url_error("a time in " + key + ", 500ms or 2s");
        time = *read;
        return {};
    };
    if (key == "max-lag") return read_time(rules.max_lag);
    if (key == "connect-timeout") return read_time(rules.connect_timeout);
    if (key == "socket")
        url.socket = value;
    else if (key == "ssl-ca")
        url.ssl_ca = value;
    else if (key == "get-server-public-key" && (value == "on" || value == "off"))
        url.gets_public_key = value == "on";
    else if (key == "get-server-public-key")
        return url_error("get-server-public-key=on or get-server-public-key=off");
    else if (key != "balance")
        return url_error(
            "no option but socket, ssl-ca, get-server-public-key, balance, max-lag and "
            "connect-timeout");
    else if (value == "ordered" || value == "random")
        rules.balance = value == "random" ? Balance::random : Balance::ordered;
    else
        return url_error("balance=ordered or balance=random");
    return {};
}

} // namespace

std::string DatabaseUrl::address() const {
    if (!socket.empty()) return socket;
    bool const is_ipv6 = host.find(':') != host.npos;
    return (is_ipv6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

// By the first four, the server gets no more than a proof. By MySQL's other two it gets the
// password, encrypted with its key; by those left out (mysql_clear_password, dialog) it gets the
// password as it is.
char const* DatabaseUrl::safe_logins() const {
    if (!socket.empty() || !ssl_ca.empty()) return nullptr;
    return gets_public_key ? "mysql_native_password,client_ed25519,parsec,auth_gssapi_client,"
                             "caching_sha2_password,sha256_password"
                           : "mysql_native_password,client_ed25519,parsec,auth_gssapi_client";
}

parser::Result<DatabaseHosts> parse_database_url(std::string_view text) {
    for (std::string_view const scheme : {"postgres:", "postgresql:", "sqlite:", "mongodb"})
        if (text.starts_with(scheme)) return other_kind(scheme);
    if (text.starts_with("mariadb:")) return url_error("mysql://…, for MariaDB as well");
    auto const [first_url, hosts] = split_hosts(text);
    auto const parsed = boost::urls::parse_uri(first_url);
    // A # or / in a password would end the authority early.
    if (!parsed || parsed->scheme() != "mysql" || !parsed->has_authority() ||
        parsed->has_fragment())
        return url_error(expected_url);
    DatabaseHosts database;
    DatabaseUrl& url = database.urls.front();
    if (auto read = read_host(*parsed, url); !read) return read.error();
    url.user = parsed->user();
    url.password = parsed->password();
    auto const path = parsed->segments();
    if (path.size() != 1 || path.front().empty())
        return url_error("the name of one database after the host: mysql://user@host/name");
    url.name = path.front();
    for (auto const& option : parsed->params())
        if (auto read = read_option(option.key, option.value, url, database.rules); !read)
            return read.error();
    if (url.host.empty() && hosts.size() == 1) url.host = "localhost";
    for (std::size_t i = 1; i < hosts.size(); ++i) {
        auto const text_of_it = "mysql://" + hosts[i];
        auto const other = boost::urls::parse_uri(text_of_it);
        if (!other || !other->segments().empty() || !other->userinfo().empty())
            return url_error(expected_url);
        auto& added = database.urls.emplace_back(database.first());
        if (auto read = read_host(*other, added); !read) return read.error();
    }
    for (auto const& host : database.urls) {
        if (host.host.empty()) return url_error("a host before and after each comma");
        if (database.are_several() && !host.socket.empty())
            return url_error("one host where there is a socket");
    }
    return database;
}

namespace {

std::vector<std::string> addresses_of(std::string const& name) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(name.c_str(), nullptr, &wanted, &found) != 0) return {};
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const owner(found, ::freeaddrinfo);
    std::vector<std::string> texts;
    for (auto const* address = found; address; address = address->ai_next) {
        if (address->ai_family != found->ai_family) continue;
        char text[NI_MAXHOST];
        if (::getnameinfo(address->ai_addr, address->ai_addrlen, text, sizeof text, nullptr, 0,
                          NI_NUMERICHOST) == 0)
            texts.emplace_back(text);
    }
    return texts;
}

} // namespace

DatabaseHosts resolved(DatabaseHosts hosts) {
    std::vector<DatabaseUrl> urls;
    for (auto& url : hosts.urls) {
        bool const may_be_many = url.socket.empty() && url.ssl_ca.empty() &&
                                 url.host != "localhost" && !url.host.empty();
        auto const addresses = may_be_many ? addresses_of(url.host) : std::vector<std::string>();
        for (auto const& address : addresses) {
            if (addresses.size() < 2) break;
            urls.push_back(url);
            urls.back().host = address;
        }
        if (addresses.size() < 2) urls.push_back(std::move(url));
    }
    hosts.urls = std::move(urls);
    return hosts;
}

} // namespace db
