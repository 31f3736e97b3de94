#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

// What the system reports of processes, under the names that Prometheus' client libraries use.

namespace fcgi {

struct ProcessUsage {
    // Ticks are those of the kernel: whole numbers, whose sum is the same in any order.
    double cpu_ticks = 0;
    double cpu_ticks_of_ended = 0; // of children that it has waited for
    double resident_bytes = 0;
    double virtual_bytes = 0;
    double open_fds = 0;
    double max_fds = 0;
};

// Returns nothing if the process is gone, or no descriptor is left to read with.
std::optional<ProcessUsage> usage_of(pid_t process);

// Returns sums over the processes of a program, the first of which started the others. CPU time
// includes those that have ended, so that it never goes back. Empty if the first cannot be read.
std::string usage_text(std::span<pid_t const> processes,
                       std::chrono::system_clock::time_point started);

} // namespace fcgi
