#include "fcgi/notify/state_file.hpp"

#include <boost/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi::notify {

namespace {

parser::Error state_error(std::filesystem::path const& path, std::string const& what) {
    return {parser::ErrorKind::configuration, path.string() + ": " + what};
}

std::string text_of(State const& state) {
    return boost::json::serialize(boost::json::object{
               {"server", state.place.server},
               {"file", db::file_of(state.place.position)},
               {"offset",
                state.place.position - db::position_in(db::file_of(state.place.position), 0)},
               {"file_begun", state.place.file_begun},
               {"columns", state.columns},
               {"secret", state.secret},
           }) +
           '\n';
}

State state_of(boost::json::value const& value) {
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

// An open file, which ends with this.
class Descriptor {
  public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Descriptor(Descriptor const&) = delete;
    int operator*() const { return descriptor_; }

  private:
    int const descriptor_;
};

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
    Descriptor const file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, owner_only));
    return *file >= 0 && ::fchmod(*file, owner_only) == 0 && write_all(*file, text) &&
           ::fsync(*file) == 0;
}

} // namespace

parser::Result<std::optional<State>> StateFile::read() const {
    errno = 0;
    std::ifstream file(path_);
    if (!file && errno == ENOENT) return std::nullopt;
    if (!file) return state_error(path_, std::strerror(errno));
    try { // a folder cannot be read, either
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        return state_of(boost::json::parse(text));
    } catch (std::exception const&) {
        return state_error(path_, "this is not a file that notify has written");
    }
}

// If the system ends before the folder is on the disk, the file is the one before.
parser::Result<void> StateFile::write(State const& state) const {
    auto next = path_;
    next += ".new";
    if (!write_new(next, text_of(state)) || ::rename(next.c_str(), path_.c_str()) != 0)
        return state_error(path_, std::strerror(errno));
    return {};
}

} // namespace fcgi::notify
