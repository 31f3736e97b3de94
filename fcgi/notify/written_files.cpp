#include "fcgi/notify/written_files.hpp"

#include "fcgi/metrics/exposition.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi::notify {

namespace {

parser::Error checkpoint_error(std::filesystem::path const& path, std::string const& what) {
    return {parser::ErrorKind::configuration, path.string() + ": " + what};
}

std::string text_of(Checkpoint const& checkpoint) {
    return boost::json::serialize(boost::json::object{
               {"server", checkpoint.place.server},
               {"file", db::file_of(checkpoint.place.position)},
               {"offset", checkpoint.place.position -
                              db::position_in(db::file_of(checkpoint.place.position), 0)},
               {"file_begun", checkpoint.place.file_begun},
               {"columns", checkpoint.columns},
               {"secret", checkpoint.secret},
           }) +
           '\n';
}

Checkpoint checkpoint_of(boost::json::value const& value) {
    auto const& members = value.as_object();
    auto const number = [&](std::string_view name) {
        return members.at(name).to_number<std::uint64_t>();
    };
    auto const text = [&](std::string_view name) {
        return std::string(members.at(name).as_string());
    };
    auto const position = db::position_in(number("file"), number("offset"));
    return {{text("server"), members.at("file_begun").to_number<std::uint32_t>(), position},
            text("columns"),
            text("secret")};
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        auto const written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Returns false, with errno, if the text may not be on the disk.
bool write_new(std::filesystem::path const& path, std::string_view text) {
    constexpr mode_t owner_only = 0600;
    int const file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, owner_only);
    if (file < 0) return false;
    bool const is_written =
        ::fchmod(file, owner_only) == 0 && write_all(file, text) && ::fsync(file) == 0;
    ::close(file);
    return is_written;
}

// A label's value, which quotes and backslashes would end.
std::string label_of(std::string target) {
    std::ranges::replace_if(
        target, [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }, '_');
    return label("target", target);
}

void append(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            std::vector<Outboxes::Counts> const& targets, auto const& value) {
    append_head(out, name, type, help);
    for (auto const& counts : targets)
        append_line(out, name, label_of(counts.target), number(value(counts)));
}

} // namespace

parser::Result<std::optional<Checkpoint>> read_checkpoint(std::filesystem::path const& path) {
    errno = 0;
    std::ifstream file(path);
    if (!file && errno == ENOENT) return std::nullopt;
    if (!file) return checkpoint_error(path, std::strerror(errno));
    try { // a folder cannot be read, either
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        return checkpoint_of(boost::json::parse(text));
    } catch (std::exception const&) {
        return checkpoint_error(path, "this is not a file that notify has written");
    }
}

// If the system ends before the folder is on the disk, the file is the one before.
parser::Result<void> write_checkpoint(std::filesystem::path const& path,
                                      Checkpoint const& checkpoint) {
    auto next = path;
    next += ".new";
    if (!write_new(next, text_of(checkpoint)) || ::rename(next.c_str(), path.c_str()) != 0)
        return checkpoint_error(path, std::strerror(errno));
    return {};
}

std::string exposition_of(std::vector<Outboxes::Counts> const& targets, bool is_following) {
    using Counts = Outboxes::Counts;
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
