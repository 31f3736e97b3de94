#pragma once

#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// One server, and how to log in.
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
    // Returns the ways to log in that do not reveal the password to a false server: the names of
    // the client library's plugins, separated by commas. A client begins with the first one.
    // Returns null if any way is safe, since no false server can be there.
    char const* safe_logins() const;
    static constexpr char const* first_login = "mysql_native_password";
};

// These rules decide which of several hosts is read.
struct HostRules {
    // ordered: the first host that may be read. random: any that may be read, all equally often.
    enum class Balance : std::uint8_t { ordered, random };

    Balance balance = Balance::ordered;
    // A host is not read unless it was seen to have all that was committed this long ago.
    std::chrono::milliseconds max_lag{1'000};
    // A host that does not connect and report its state within this time counts as lost.
    std::chrono::milliseconds connect_timeout{1'000};
    // If no host was seen to have all of that, hosts are read nevertheless.
    bool serves_unconfirmed = false;
    // All requests go to one host, which Hosts::moved names; with `random` it is the same one for
    // as long as it may be read.
    bool stays = false;

    bool operator==(HostRules const&) const = default;
};

// The servers of a database, which have the same content; at least one.
struct DatabaseHosts {
    DatabaseHosts() = default;
    DatabaseHosts(DatabaseUrl url) : urls{std::move(url)} {} // this one alone

    std::vector<DatabaseUrl> urls{1};
    HostRules rules;

    DatabaseUrl const& first() const { return urls.front(); }
    bool are_several() const { return urls.size() > 1; }
};

// Its errors say what was expected, and nothing of what was received: that may hold a password.
parser::Result<DatabaseHosts> parse_database_url(std::string_view text);

// Returns the hosts with each address of a name as a host of its own, all of one address family,
// since one server may have an address in both. A name whose certificate is verified stays, since
// the certificate is for the name. Waits for DNS.
DatabaseHosts resolved(DatabaseHosts hosts);

} // namespace db
