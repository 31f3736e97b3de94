#include "fcgi/observation/process_usage.hpp"

#include "fcgi/observation/exposition.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace fcgi {

namespace {

// The numbers of /proc/PID/stat, as proc(5) counts its fields; none if it cannot be read. The name
// may contain blanks and brackets, so only what is behind its last bracket is split.
class Stat {
  public:
    explicit Stat(std::string const& folder) {
        std::ifstream file(folder + "/stat");
        std::string const text{std::istreambuf_iterator(file), {}};
        auto const name_end = text.rfind(')');
        if (name_end == text.npos) return;
        std::istringstream words(text.substr(name_end + 1));
        for (std::string word; words >> word;)
            fields_.push_back(std::strtod(word.c_str(), nullptr));
    }

    bool is_read() const { return fields_.size() > last - first; }
    double operator[](std::size_t number) const { return fields_[number - first]; }

  private:
    static constexpr std::size_t first = 3, last = 24; // the first behind the name, the last used

    std::vector<double> fields_;
};

// Does not count the descriptor with which it looks.
double open_fds(pid_t process, std::string const& folder) {
    std::error_code error;
    double count = process == ::getpid() ? -1 : 0;
    for (std::filesystem::directory_iterator file(folder + "/fd", error), end;
         !error && file != end; file.increment(error))
        ++count;
    return count;
}

double max_fds(pid_t process) {
    rlimit limit{};
    ::prlimit(process, RLIMIT_NOFILE, nullptr, &limit);
    return static_cast<double>(limit.rlim_cur);
}

void add(ProcessUsage& sum, ProcessUsage const& usage) {
    sum.cpu_ticks += usage.cpu_ticks;
    sum.cpu_ticks_of_ended += usage.cpu_ticks_of_ended;
    sum.resident_bytes += usage.resident_bytes;
    sum.virtual_bytes += usage.virtual_bytes;
    sum.open_fds += usage.open_fds;
    sum.max_fds += usage.max_fds;
}

// A process that the first one reaps meanwhile would count twice or not at all: then start anew.
std::optional<ProcessUsage> sum_of(std::span<pid_t const> processes) {
    for (;;) {
        auto const before = usage_of(processes.front());
        auto sum = before;
        for (pid_t const other : processes.subspan(1))
            if (auto const usage = usage_of(other); sum && usage) add(*sum, *usage);
        auto const after = usage_of(processes.front());
        if (!before || !after) return std::nullopt;
        if (before->cpu_ticks_of_ended == after->cpu_ticks_of_ended) return sum;
    }
}

} // namespace

std::optional<ProcessUsage> usage_of(pid_t process) {
    auto const folder = "/proc/" + std::to_string(process);
    Stat const stat(folder);
    if (!stat.is_read()) return std::nullopt;
    auto const page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    return ProcessUsage{.cpu_ticks = stat[14] + stat[15],
                        .cpu_ticks_of_ended = stat[16] + stat[17],
                        .resident_bytes = stat[24] * page,
                        .virtual_bytes = stat[23],
                        .open_fds = open_fds(process, folder),
                        .max_fds = max_fds(process)};
}

std::string usage_text(std::span<pid_t const> processes,
                       std::chrono::system_clock::time_point started) {
    auto const usage = sum_of(processes);
    if (!usage) return {};
    auto const ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::string out;
    auto const append = [&](std::string_view name, std::string_view type, std::string_view help,
                            double value) {
        append_head(out, name, type, help);
        append_line(out, name, "", number(value));
    };
    append("process_cpu_seconds_total", "counter",
           "CPU time of all processes, including those that have ended.",
           (usage->cpu_ticks + usage->cpu_ticks_of_ended) / ticks_per_second);
    append("process_resident_memory_bytes", "gauge", "Resident memory of all processes.",
           usage->resident_bytes);
    append("process_virtual_memory_bytes", "gauge", "Virtual address space of all processes.",
           usage->virtual_bytes);
    append("process_open_fds", "gauge", "Open file descriptors of all processes.", usage->open_fds);
    append("process_max_fds", "gauge", "Limit of open file descriptors, summed over all processes.",
           usage->max_fds);
    append("process_start_time_seconds", "gauge",
           "When the program started, in seconds since 1970.",
           std::chrono::duration<double>(started.time_since_epoch()).count());
    return out;
}

} // namespace fcgi
