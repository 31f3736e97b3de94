#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace fcgi {

// Tells the service manager how we are: `READY=1`, `RELOADING=1`, `STOPPING=1`, `STATUS=…` of
// sd_notify(3). Nothing happens where none asked for it (NOTIFY_SOCKET). Not for signal handlers.
void tell_systemd(std::string_view state);

// From now on our parent is told, at this socket, as if it were the service manager.
void tell_parent(int socket);

// Within so long the service manager has to hear WATCHDOG=1, or it ends us: WatchdogSec of the
// unit. None: it does not want to.
std::optional<std::chrono::microseconds> watchdog_time();

// Says WATCHDOG=1, twice within that time. Used by the thread whose rounds it shows to go on.
class Heartbeat {
  public:
    using Time = std::chrono::steady_clock::time_point;

    Heartbeat();
    Time next() const { return next_; } // to be called again then, at the latest
    void beat(Time now);

  private:
    std::chrono::microseconds interval_;
    Time next_;
};

} // namespace fcgi
