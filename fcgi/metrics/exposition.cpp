#include "fcgi/metrics/exposition.hpp"

#include <array>
#include <charconv>
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

// The numbers of /proc/self/stat, as proc(5) counts its fields; none if it cannot be read. The name
// may contain blanks and brackets, so only what is behind its last bracket is split.
class Stat {
  public:
    Stat() {
        std::ifstream file("/proc/self/stat");
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
double open_fds() {
    std::error_code error;
    double count = -1;
    for (std::filesystem::directory_iterator file("/proc/self/fd", error), end;
         !error && file != end; file.increment(error))
        ++count;
    return count;
}

double max_fds() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return static_cast<double>(limit.rlim_cur);
}

} // namespace

void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void append_line(std::string& out, std::string_view name, std::string_view labels,
                 std::string_view value) {
    out.append(name);
    if (!labels.empty()) out.append("{").append(labels).append("}");
    out.append(" ").append(value).append("\n");
}

void append_buckets(std::string& out, std::string_view name, std::string const& labels,
                    std::span<double const> ends, std::size_t step,
                    std::span<std::uint64_t const> counts, double sum) {
    std::string const family(name);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        total += counts[i];
        bool const is_last = i == ends.size();
        if (!is_last && (i + 1) % step != 0) continue;
        append_line(out, family + "_bucket",
                    (labels.empty() ? "" : labels + ",") +
                        label("le", is_last ? "+Inf" : number(ends[i])),
                    std::to_string(total));
    }
    append_line(out, family + "_sum", labels, number(sum));
    append_line(out, family + "_count", labels, std::to_string(total));
}

std::string label(std::string_view name, std::string_view value) {
    return std::string(name).append("=\"").append(value).append("\"");
}

std::string number(double value) {
    std::array<char, 32> digits;
    return {digits.begin(), std::to_chars(digits.begin(), digits.end(), value).ptr};
}

std::string process_usage(std::chrono::system_clock::time_point started) {
    Stat const stat;
    if (!stat.is_read()) return {};
    auto const ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    auto const page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    std::string out;
    auto const append = [&](std::string_view name, std::string_view type, std::string_view help,
                            double value) {
        append_head(out, name, type, help);
        append_line(out, name, "", number(value));
    };
    append("process_cpu_seconds_total", "counter", "CPU time of the process.",
           (stat[14] + stat[15]) / ticks_per_second);
    append("process_resident_memory_bytes", "gauge", "Resident memory.", stat[24] * page);
    append("process_virtual_memory_bytes", "gauge", "Virtual address space.", stat[23]);
    append("process_open_fds", "gauge", "Open file descriptors.", open_fds());
    append("process_max_fds", "gauge", "Limit of open file descriptors.", max_fds());
    append("process_start_time_seconds", "gauge",
           "When the program started, in seconds since 1970.",
           std::chrono::duration<double>(started.time_since_epoch()).count());
    return out;
}

} // namespace fcgi
