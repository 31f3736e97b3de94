#pragma once

#include <chrono>
#include <string_view>

namespace fcgi {

// Tells the service manager our state: `READY=1`, `RELOADING=1`, `STOPPING=1`, `STATUS=…` of
// sd_notify(3). Does nothing if none asked for it (NOTIFY_SOCKET). Not for signal handlers.
void notify_systemd(std::string_view state);

// Sends WATCHDOG=1 twice within the time after which the service manager, if it expects that, would
// end us: WatchdogSec of the unit. Used by the thread whose loop it shows to go on.
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
