#pragma once

#include "parser/base/error.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Who may connect over TCP. FastCGI knows no password: whoever can connect is believed to be the
// web server, as under php-fpm, whose `listen.allowed_clients` this is.

namespace fcgi {

class AllowedHosts {
  public:
    using Address = boost::asio::ip::address;

    // Everyone.
    AllowedHosts() = default;

    // Addresses and networks between commas: `10.0.0.5,10.1.0.0/16,fd00::/8`. An error's message
    // names the one that is neither.
    static parser::Result<AllowedHosts> read(std::string_view list);

    bool has(Address address) const;
    // The address of the other side of a connection, if it may not have it. A unix socket's side
    // has none, and may: the file's mode says who can connect.
    std::optional<std::string> refused(int socket) const;

  private:
    std::vector<boost::asio::ip::network_v4> networks_4_;
    std::vector<boost::asio::ip::network_v6> networks_6_;
};

} // namespace fcgi
