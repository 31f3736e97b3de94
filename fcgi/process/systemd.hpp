#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace fcgi {

// Tells the service manager our state: `READY=1`, `RELOADING=1`, `STOPPING=1`, `STATUS=…` of
// sd_notify(3). Does nothing if none asked for it (NOTIFY_SOCKET). Not for signal handlers.
void tell_systemd(std::string_view state);

// From now on the parent is told instead, at this socket, as if it were the service manager.
void tell_parent(int socket);

// Returns the time within which the service manager must get WATCHDOG=1, or it ends us: WatchdogSec
// of the unit. Returns nothing if it does not expect that.
std::optional<std::chrono::microseconds> watchdog_time();

// Sends WATCHDOG=1 twice within that time. Used by the thread whose loop it shows to go on.
class Heartbeat {
  public:
    using Time = std::chrono::steady_clock::time_point;

    Heartbeat();
    Time next() const { return next_; } // when to call beat() again, at the latest
    void beat(Time now);

  private:
    std::chrono::microseconds interval_;
    Time next_;
};

} // namespace fcgi
