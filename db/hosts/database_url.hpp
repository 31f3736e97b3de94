#pragma once

#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// One server, and how to get in.
struct DatabaseUrl {
    std::string host;
    unsigned port = 3306;
    std::string socket;
    std::string user;
    std::string password;
    std::string name;
    std::string ssl_ca; // set: TLS with a certificate of this authority, or no connection
    // The password may be encrypted with a key that the server itself names.
    bool gets_public_key = false;

    bool operator==(DatabaseUrl const&) const = default;
    // `db.example.org:3306`, or the path of the socket.
    std::string address() const;
    // Ways to log in, as client libraries name their plugins, with a comma between, by which a
    // false server does not get to know the password; the first one is what a client begins with.
    // Null: any way is safe, since no false server can be there.
    char const* safe_logins() const;
    static constexpr char const* first_login = "mysql_native_password";
};

// Which of several servers is asked.
struct HostRules {
    // ordered: the first that may be asked. random: any, and all the same.
    enum class Balance : std::uint8_t { ordered, random };

    Balance balance = Balance::ordered;
    // Who was not seen to have all that was committed so long ago is not asked.
    std::chrono::milliseconds max_lag{1'000};
    // Within which a server connects and says how it is, or counts as lost.
    std::chrono::milliseconds connect_timeout{1'000};
    // Where there is nobody of whom that is known, those of whom it is not are asked.
    bool serves_unconfirmed = false;
    // As long as it may be asked, the same one is.
    bool stays = false;

    bool operator==(HostRules const&) const = default;
};

// The servers of a database, which have the same content. One at least.
//   mysql://user:password@host:port/name?ssl-ca=FILE
//   mysql://user:password@host:port/name?get-server-public-key=on
//   mysql://user:password@localhost/name?socket=/path      (parts percent-encoded where needed)
//   mysql://user:password@one:3306,two,three:3307/name?balance=random&max-lag=1s&connect-timeout=1s
struct DatabaseHosts {
    DatabaseHosts() = default;
    DatabaseHosts(DatabaseUrl url) : urls{std::move(url)} {} // of this one alone

    std::vector<DatabaseUrl> urls{1};
    HostRules rules;

    DatabaseUrl const& first() const { return urls.front(); }
    bool are_several() const { return urls.size() > 1; }
};

// Says what was expected, and nothing of what was received: that may hold a password.
parser::Result<DatabaseHosts> parse_database_url(std::string_view text);

// With each address of a name as a host of its own; of one family, since one server may have an
// address in both. Waits for DNS. A name whose certificate is to be seen stays: it is for the name.
DatabaseHosts resolved(DatabaseHosts hosts);

} // namespace db
