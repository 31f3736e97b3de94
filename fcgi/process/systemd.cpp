#include "fcgi/process/systemd.hpp"

#include <cstddef>
#include <cstdlib>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace fcgi {

void tell_systemd(std::string_view state) {
    char const* variable = std::getenv("NOTIFY_SOCKET");
    std::string_view const path = variable ? variable : "";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) return;
    path.copy(address.sun_path, path.size());
    if (path[0] == '@') address.sun_path[0] = '\0'; // an abstract name, which has no file
    int const socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
             reinterpret_cast<sockaddr const*>(&address), size);
    ::close(socket);
}

} // namespace fcgi
