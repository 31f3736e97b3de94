#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

// What the system says of processes, under the names that Prometheus' client libraries give it.

namespace fcgi {

struct ProcessUsage {
    // Of the clock that the kernel counts by: whole numbers, whose sum is the same in any order.
    double cpu_ticks = 0;
    double cpu_ticks_of_ended = 0; // of children that it has waited for
    double resident_bytes = 0;
    double virtual_bytes = 0;
    double open_fds = 0;
    double max_fds = 0;
};

// Absent: it is gone, or there is no descriptor left to look with.
std::optional<ProcessUsage> usage_of(pid_t process);

// Sums over the processes of a program, the first of which started the others; of CPU time also
// over those that have ended, so that it never goes back. Empty where nobody can tell of the first.
std::string usage_text(std::span<pid_t const> processes,
                       std::chrono::system_clock::time_point started);

} // namespace fcgi
