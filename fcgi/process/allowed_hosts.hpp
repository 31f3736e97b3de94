#pragma once

#include "parser/base/error.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The addresses that may connect over TCP. FastCGI has no passwords: whoever can connect is taken
// for the web server. php-fpm has the same setting, `listen.allowed_clients`.

namespace fcgi {

class AllowedHosts {
  public:
    using Address = boost::asio::ip::address;

    // Allows every address.
    AllowedHosts() = default;

    // Reads addresses and networks between commas: `10.0.0.5,10.1.0.0/16,fd00::/8`. The message of
    // an error names the entry that is neither.
    static parser::Result<AllowedHosts> read(std::string_view list);

    bool has(Address address) const;
    // Returns the address of the peer if it may not connect. The peer of a unix socket has no
    // address and is never refused: the mode of the socket file decides who can connect.
    std::optional<std::string> refused(int socket) const;

  private:
    std::vector<boost::asio::ip::network_v4> networks_4_;
    std::vector<boost::asio::ip::network_v6> networks_6_;
};

} // namespace fcgi
