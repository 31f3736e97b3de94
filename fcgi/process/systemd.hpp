#pragma once

#include <string_view>

namespace fcgi {

// Tells the service manager how we are: `READY=1`, `RELOADING=1`, `STOPPING=1` of sd_notify(3).
// Nothing happens where none asked for it (NOTIFY_SOCKET). Not for signal handlers.
void tell_systemd(std::string_view state);

} // namespace fcgi
