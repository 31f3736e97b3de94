#include "fcgi/process/allowed_hosts.hpp"

#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>

namespace fcgi {

namespace {

namespace ip = boost::asio::ip;
using Address = AllowedHosts::Address;

// Makes a single address a network that contains it alone. Returns other text as it is.
std::string as_network(std::string const& text) {
    boost::system::error_code none;
    auto const address = ip::make_address(text, none);
    if (none) return text;
    return text + (address.is_v4() ? "/32" : "/128");
}

// IPv4 addresses that arrive over an IPv6 socket have the form ::ffff:10.0.0.5.
Address plain(Address const& address) {
    if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

std::optional<Address> other_side(int socket) {
    sockaddr_storage side{};
    socklen_t size = sizeof side;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&side), &size) < 0) return std::nullopt;
    if (side.ss_family == AF_INET) {
        auto const& as = reinterpret_cast<sockaddr_in const&>(side);
        return ip::address_v4(ntohl(as.sin_addr.s_addr));
    }
    if (side.ss_family != AF_INET6) return std::nullopt;
    auto const& as = reinterpret_cast<sockaddr_in6 const&>(side);
    ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &as.sin6_addr, bytes.size());
    return ip::address_v6(bytes);
}

} // namespace

parser::Result<AllowedHosts> AllowedHosts::read(std::string_view list) {
    std::vector<std::string> names;
    boost::split(names, list, [](char c) { return c == ','; });
    AllowedHosts hosts;
    for (auto& name : names) {
        boost::trim(name);
        boost::system::error_code none_of_4;
        boost::system::error_code none_of_6;
        auto const network = as_network(name);
        auto const of_4 = ip::make_network_v4(network, none_of_4);
        auto const of_6 = ip::make_network_v6(network, none_of_6);
        if (!none_of_4) hosts.networks_4_.push_back(of_4.canonical());
        if (!none_of_6) hosts.networks_6_.push_back(of_6.canonical());
        if (none_of_4 && none_of_6) {
            parser::Error error;
            error.message = "expected addresses or networks separated by commas, such as "
                            "10.0.0.5,10.1.0.0/16, received \"" +
                            name + '"';
            return error;
        }
    }
    return hosts;
}

bool AllowedHosts::has(Address address) const {
    if (networks_4_.empty() && networks_6_.empty()) return true;
    address = plain(address);
    auto const holds = [](auto const& host) {
        return [&host](auto const& network) {
            return decltype(network.canonical())(host, network.prefix_length()).canonical() ==
                   network;
        };
    };
    return address.is_v4() ? std::ranges::any_of(networks_4_, holds(address.to_v4()))
                           : std::ranges::any_of(networks_6_, holds(address.to_v6()));
}

std::optional<std::string> AllowedHosts::refused(int socket) const {
    if (networks_4_.empty() && networks_6_.empty()) return std::nullopt;
    auto const address = other_side(socket);
    if (!address || has(*address)) return std::nullopt;
    return plain(*address).to_string();
}

} // namespace fcgi
