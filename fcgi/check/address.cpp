#include "fcgi/check/address.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fcgi {

namespace {

struct FreeAddresses {
    void operator()(addrinfo* addresses) const { ::freeaddrinfo(addresses); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses addresses_of(std::string const& name) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    return Addresses(::getaddrinfo(name.c_str(), nullptr, &wanted, &found) == 0 ? found : nullptr);
}

// The system binds a socket only to an address of this machine.
bool is_own(addrinfo const& address) {
    int const socket = ::socket(address.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    bool const bound = ::bind(socket, address.ai_addr, address.ai_addrlen) == 0;
    ::close(socket);
    return bound;
}

bool is_any_own(Addresses const& addresses) {
    for (auto const* at = addresses.get(); at; at = at->ai_next)
        if (is_own(*at)) return true;
    return false;
}

std::vector<std::string> bytes_of(Addresses const& addresses) {
    std::vector<std::string> found;
    for (auto const* at = addresses.get(); at; at = at->ai_next)
        found.emplace_back(reinterpret_cast<char const*>(at->ai_addr), at->ai_addrlen);
    return found;
}

} // namespace

std::optional<bool> is_same_machine(std::string const& one, std::string const& other) {
    auto const first = addresses_of(one);
    auto const second = addresses_of(other);
    if (!first || !second) return std::nullopt;
    if (is_any_own(first) && is_any_own(second)) return true;
    auto const known = bytes_of(second);
    return std::ranges::any_of(bytes_of(first), [&](std::string const& address) {
        return std::ranges::find(known, address) != known.end();
    });
}

} // namespace fcgi
