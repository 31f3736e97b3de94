#include "fcgi/notify/secret_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi::notify {

namespace {

constexpr std::size_t longest_secret = 4096;

// Reads one byte more than a secret may have.
std::string read_beginning(int file) {
    std::array<char, longest_secret + 1> bytes;
    std::size_t size = 0;
    for (ssize_t count = 1; count > 0 && size < bytes.size();) {
        count = ::read(file, bytes.data() + size, bytes.size() - size);
        if (count > 0) size += static_cast<std::size_t>(count);
    }
    return {bytes.data(), size};
}

} // namespace

parser::Result<std::string> read_secret(std::string const& path) {
    auto const problem = [&path](std::string const& what) {
        return parser::Error{parser::ErrorKind::configuration, path + what};
    };
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return problem(std::string(" cannot be read: ") + std::strerror(errno));
    struct stat facts{};
    bool const is_file = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    auto secret = is_file ? read_beginning(file) : std::string();
    ::close(file);
    if (!is_file) return problem(" is not a file");
    if ((facts.st_mode & (S_IRWXO | S_IWGRP)) != 0)
        return problem(" may be read by others: type chmod 600 " + path);
    while (secret.ends_with('\n') || secret.ends_with('\r') || secret.ends_with(' '))
        secret.pop_back();
    if (secret.empty()) return problem(" is empty");
    if (secret.size() > longest_secret) return problem(" is longer than 4096 bytes");
    bool const is_line =
        std::ranges::all_of(secret, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
    if (!is_line) return problem(": expected one line of text");
    return secret;
}

} // namespace fcgi::notify
