#include "db/archive/uploads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
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

// The file that the archive is at; nobody else can have it open.
parser::Result<void> copy(Archive& archive, fs::path const& path) {
    unlink(path.c_str());
    int const file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) return cannot_write(path);
    std::string bytes(upload_piece, '\0');
    parser::Result<void> done;
    for (;;) {
        auto const got = archive.read(bytes.data(), bytes.size());
        if (!got) done = got.error();
        if (!got || *got == 0) break;
        auto const written = write(file, bytes.data(), *got);
        if (written == static_cast<ssize_t>(*got)) continue;
        if (written >= 0) errno = ENOSPC;
        done = cannot_write(path);
        break;
    }
    if (close(file) != 0 && done) done = cannot_write(path);
    if (!done) unlink(path.c_str());
    return done;
}

} // namespace

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
        auto const aside = folder / (name + ".part");
        if (auto copied = copy(archive, aside); !copied) return copied.error();
        bool const is_there = are_equal(aside, path);
        ++(is_there ? count.equal : count.written);
        auto const done =
            is_there ? unlink(aside.c_str()) : std::rename(aside.c_str(), path.c_str());
        if (done != 0) return cannot_write(path);
    }
}

} // namespace db
