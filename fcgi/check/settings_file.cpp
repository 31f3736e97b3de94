#include "fcgi/check/settings_file.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

parser::Error failure(fs::path const& path, std::string const& what) {
    return {parser::ErrorKind::configuration, path.string() + ": " + what};
}

// Returns what is on the left of `=`, in a comment as in a setting; empty if nothing is.
std::string_view name_of(std::string_view line) {
    auto const from = line.find_first_not_of(" \t#");
    auto const equals = line.find('=');
    if (from == line.npos || equals == line.npos || equals < from) return {};
    auto const name = line.substr(from, equals - from);
    return name.substr(0, name.find_last_not_of(" \t") + 1);
}

bool is_comment(std::string_view line) {
    auto const from = line.find_first_not_of(" \t");
    return from != line.npos && line[from] == '#';
}

// Returns the value as read_configuration() reads it; nullopt if no line can hold it.
std::optional<std::string> written(std::string const& value) {
    if (value.find_first_of("\r\n") != value.npos) return std::nullopt;
    if (value.find('"') == value.npos) return '"' + value + '"';
    if (value.find('\'') == value.npos) return '\'' + value + '\'';
    bool const is_plain = value[0] != '"' && value[0] != '\'' && value.find('#') == value.npos &&
                          boost::trim_copy(value) == value;
    return is_plain ? std::optional(value) : std::nullopt;
}

} // namespace

parser::Result<SettingsText> SettingsText::read(fs::path const& path) {
    std::error_code error;
    auto const status = fs::symlink_status(path, error);
    SettingsText text;
    if (status.type() == fs::file_type::not_found) return text;
    if (!fs::is_regular_file(status))
        return failure(path,
                       "is not a regular file: settings are written only into a regular file");
    // Its errors are reported before anything is changed.
    auto settings = read_configuration(path);
    if (!settings) return settings.error();
    text.settings_ = *std::move(settings);
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        text.lines_.push_back(std::move(line));
    return text;
}

std::string SettingsText::value(std::string_view name) const {
    auto const found = std::ranges::find(settings_, name, &Setting::name);
    return found == settings_.end() ? std::string() : found->value;
}

parser::Result<void> SettingsText::set(std::string const& name, std::string const& value) {
    auto const text = written(value);
    if (!text)
        return parser::Error{parser::ErrorKind::configuration,
                             name + ": a settings file cannot contain this value, which has a line "
                                    "break, or both kinds of quotes and a `#` or blank"};
    auto const line = name + " = " + *text;
    auto const has_name = [&](std::string const& other) { return name_of(other) == name; };
    auto const setting = std::ranges::find_if(
        lines_, [&](std::string const& other) { return !is_comment(other) && has_name(other); });
    if (setting != lines_.end()) {
        *setting = line;
        return {};
    }
    auto const comment = std::find_if(lines_.rbegin(), lines_.rend(), has_name).base();
    lines_.insert(comment == lines_.begin() ? lines_.end() : comment, line);
    return {};
}

void SettingsText::remove(std::string_view name) {
    std::erase_if(lines_, [&](std::string const& line) {
        return !is_comment(line) && name_of(line) == name;
    });
}

std::string SettingsText::str() const {
    return lines_.empty() ? std::string() : boost::join(lines_, "\n") + '\n';
}

namespace {

std::string waiting_name(fs::path const& place) {
    return '.' + place.filename().string() + ".setup";
}

} // namespace

parser::Result<StagedFile> StagedFile::write(fs::path const& path, std::string const& text,
                                             gid_t group) {
    int const folder = ::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return failure(path.parent_path(), std::strerror(errno));
    StagedFile replacement(path, folder);
    if (::flock(folder, LOCK_EX | LOCK_NB) != 0)
        return failure(path.parent_path(), "another setup is running here");
    if (auto done = replacement.fill(text, group); !done) return done.error();
    return replacement;
}

parser::Result<void> StagedFile::fill(std::string const& text, gid_t group) {
    auto const name = waiting_name(place_);
    ::unlinkat(folder_, name.c_str(), 0); // left by a setup that was killed
    int const file =
        ::openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return failure(path(), std::strerror(errno));
    is_waiting_ = true;
    bool const is_done =
        ::fchown(file, static_cast<uid_t>(-1), group) == 0 && ::fchmod(file, 0640) == 0 &&
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(file) == 0;
    auto const error = errno;
    ::close(file);
    if (!is_done) return failure(path(), std::strerror(error));
    return {};
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : place_(std::move(other.place_)),
      folder_(std::exchange(other.folder_, -1)),
      is_waiting_(std::exchange(other.is_waiting_, false)) {
}

StagedFile::~StagedFile() {
    if (is_waiting_) ::unlinkat(folder_, waiting_name(place_).c_str(), 0);
    if (folder_ >= 0) ::close(folder_);
}

fs::path StagedFile::path() const {
    return place_.parent_path() / waiting_name(place_);
}

parser::Result<void> StagedFile::put_in_place() {
    auto const name = waiting_name(place_);
    if (::renameat(folder_, name.c_str(), folder_, place_.filename().c_str()) != 0)
        return failure(place_, std::strerror(errno));
    is_waiting_ = false;
    ::fsync(folder_);
    return {};
}

} // namespace fcgi
