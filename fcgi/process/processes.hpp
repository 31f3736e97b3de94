#pragma once

#include "fcgi/events/events.hpp"
#include "fcgi/process/listener.hpp"

#include <cstddef>
#include <functional>

namespace fcgi {

// Runs `serve` in `count` child processes, which share the listener, and starts another when one
// ends, however it ended. A child that lives for less than a second is replaced after a pause,
// which doubles from 100 ms to 10 s as long as that goes on.
//
// This process acts as the service manager of its children, and reports to the real one for all of
// them: it combines their statuses, and a child that sends no WATCHDOG=1 in time gets a SIGABRT.
//
// SIGHUP goes to all of them. At SIGTERM or SIGINT the listener is closed and each child gets a
// SIGTERM. Returns, in the parent alone, when none is left: 0 if each then ended with 0. Children
// of a parent that is killed get a SIGTERM as well.
//
// Call it before there are threads. `serve` starts with these signals blocked, as fcgi::serve
// expects, and its result is the child's exit code.
int keep_serving(std::size_t count, Listener& listener, std::function<int()> const& serve,
                 Observer const& observe);

} // namespace fcgi
