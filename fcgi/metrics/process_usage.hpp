#pragma once

#include <chrono>
#include <string>

namespace fcgi {

// Returns what the system reports of this process, in Prometheus' text format under the names that
// its client libraries use. Empty if no descriptor is left to read with.
std::string process_usage(std::chrono::system_clock::time_point started);

} // namespace fcgi
