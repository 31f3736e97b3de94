#include "db/content/uploads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view uploads = "assets/uploads/";
constexpr std::size_t upload_piece = 64 * 1024;

parser::Error cannot_write(fs::path const& path) {
    return {parser::ErrorKind::configuration, path.string() + ": " + std::strerror(errno)};
}

bool are_equal(fs::path const& one, fs::path const& other) {
    std::error_code error;
    if (!fs::is_regular_file(other, error) ||
        fs::file_size(one, error) != fs::file_size(other, error))
        return false;
    std::ifstream ones(one, std::ios::binary);
    std::ifstream others(other, std::ios::binary);
    return ones && others &&
           std::equal(std::istreambuf_iterator<char>(ones), {},
                      std::istreambuf_iterator<char>(others));
}

// A file that nobody else writes or reads until it takes its name.
class FileAside {
  public:
    explicit FileAside(fs::path const& folder)
        : path_(folder / ".populate-fcgi.XXXXXX"), file_(mkostemp(path_.data(), O_CLOEXEC)) {}
    FileAside(FileAside const&) = delete;
    FileAside& operator=(FileAside const&) = delete;
    ~FileAside() {
        if (file_ < 0) return;
        unlink(path_.c_str());
        close(file_);
    }

    std::string const& path() const { return path_; }
    bool is_open() const { return file_ >= 0; }
    bool write(char const* bytes, std::size_t size) const {
        errno = ENOSPC; // a short write sets no errno
        return ::write(file_, bytes, size) == static_cast<ssize_t>(size);
    }
    // From then on it is a file of the folder, and everybody may read it.
    bool take_name(fs::path const& name) const {
        constexpr mode_t for_all = 0644;
        return fchmod(file_, for_all) == 0 && std::rename(path_.c_str(), name.c_str()) == 0;
    }

  private:
    std::string path_;
    int const file_;
};

// Copies the file that the archive is at.
parser::Result<void> copy(Archive& archive, FileAside const& aside) {
    std::string bytes(upload_piece, '\0');
    for (;;) {
        auto const got = archive.read(bytes.data(), bytes.size());
        if (!got) return got.error();
        if (*got == 0) return {};
        if (!aside.write(bytes.data(), *got)) return cannot_write(aside.path());
    }
}

} // namespace

parser::Result<void> check_uploads(fs::path const& folder) {
    if (!FileAside(folder).is_open()) return cannot_write(folder);
    return {};
}

parser::Result<UploadCount> write_uploads(Archive& archive, fs::path const& folder,
                                          std::function<void()> const& progress) {
    if (auto begun = archive.rewind(); !begun) return begun.error();
    UploadCount count;
    for (;;) {
        auto const more = archive.next();
        if (!more) return more.error();
        if (!*more) return count;
        if (progress) progress();
        if (archive.part() != Part::assets || !archive.file().starts_with(uploads)) continue;
        auto const name = archive.file().substr(uploads.size());
        if (name.empty() || name.front() == '.' || name.find('/') != name.npos)
            return archive.error("expected a file in assets/uploads, not below it");
        auto const path = folder / name;
        FileAside const aside(folder);
        if (!aside.is_open()) return cannot_write(folder);
        if (auto copied = copy(archive, aside); !copied) return copied.error();
        bool const is_there = are_equal(aside.path(), path);
        ++(is_there ? count.equal : count.written);
        if (!is_there && !aside.take_name(path)) return cannot_write(path);
    }
}

} // namespace db
