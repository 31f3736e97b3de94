#include "fcgi/notify/metrics_file.hpp"

#include "fcgi/metrics/exposition.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>

namespace fcgi::notify {

namespace {

// A label's value, which quotes and backslashes would end.
std::string label_of(std::string target) {
    std::ranges::replace_if(
        target, [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }, '_');
    return label("target", target);
}

void append(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            std::vector<Delivery::Counts> const& targets, auto const& value) {
    append_head(out, name, type, help);
    for (auto const& counts : targets)
        append_line(out, name, label_of(counts.target), number(value(counts)));
}

} // namespace

std::string exposition_of(std::vector<Delivery::Counts> const& targets, bool is_following) {
    using Counts = Delivery::Counts;
    using Seconds = std::chrono::duration<double>;
    std::string out;
    append_head(out, "populate_notify_following", "gauge", "1 if the binlog is followed, else 0.");
    append_line(out, "populate_notify_following", "", is_following ? "1" : "0");
    append(out, "populate_notify_sent_total", "counter", "Requests that the target accepted.",
           targets, [](Counts const& counts) { return static_cast<double>(counts.sent); });
    append(out, "populate_notify_failed_total", "counter", "Requests that failed.", targets,
           [](Counts const& counts) { return static_cast<double>(counts.failed); });
    append(out, "populate_notify_queued_names", "gauge", "Names that the target was not told yet.",
           targets, [](Counts const& counts) { return static_cast<double>(counts.queued); });
    append(out, "populate_notify_lag_seconds", "gauge",
           "Age of the oldest change that the target was not told yet.", targets,
           [](Counts const& counts) { return Seconds(counts.lag).count(); });
    return out;
}

parser::Result<void> write_metrics(std::filesystem::path const& path, std::string const& text) {
    auto next = path;
    next += ".new";
    errno = 0;
    std::ofstream file(next, std::ios::trunc);
    file << text;
    file.close();
    std::error_code failed;
    if (file) {
        std::filesystem::permissions(next, std::filesystem::perms(0644), failed);
        if (!failed) std::filesystem::rename(next, path, failed);
    }
    if (file && !failed) return {};
    return parser::Error{parser::ErrorKind::configuration,
                         path.string() + ": " + (failed ? failed.message() : std::strerror(errno))};
}

} // namespace fcgi::notify
