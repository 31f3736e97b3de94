#include "fcgi/process/systemd.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace fcgi {

namespace {

template<class Number>
std::optional<Number> number_of(char const* variable) {
    char const* const text = std::getenv(variable);
    if (!text) return std::nullopt;
    std::string_view const digits = text;
    Number number = 0;
    auto const [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end() || number <= 0) return std::nullopt;
    return number;
}

// Returns the time within which the service manager must get WATCHDOG=1, or it ends us: WatchdogSec
// of the unit. Returns 0 if it does not expect that.
std::chrono::microseconds watchdog_time() {
    auto const process = number_of<pid_t>("WATCHDOG_PID");
    bool const is_ours = !process || *process == ::getpid();
    return std::chrono::microseconds(is_ours ? number_of<std::int64_t>("WATCHDOG_USEC").value_or(0)
                                             : 0);
}

} // namespace

Heartbeat::Heartbeat()
    : interval_(watchdog_time() / 2), next_(interval_.count() > 0 ? Time() : Time::max()) {
}

void Heartbeat::beat(Time now) {
    if (now < next_) return;
    notify_systemd("WATCHDOG=1");
    next_ = now + interval_;
}

void notify_systemd(std::string_view state) {
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
