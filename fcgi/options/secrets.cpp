#include "fcgi/options/secrets.hpp"

#include "fcgi/options/readable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <sys/stat.h>

namespace fcgi {

namespace {

constexpr std::size_t least_bytes = 16;

} // namespace

parser::Result<std::string> read_secret_file(std::filesystem::path const& path) {
    auto const failure = [&](std::string const& what, std::string const& fix) {
        return parser::Error{parser::ErrorKind::configuration,
                             path.string() + what + "; fix: " + fix};
    };
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    file.peek(); // a folder can be opened, and only reading it fails
    if (!file && !file.eof()) {
        auto const why = errno;
        return failure(std::string(" cannot be read: ") + std::strerror(why),
                       why == EACCES ? command_to_read_file(path)
                                     : command_to_make_secret_file(path));
    }
    struct stat status{};
    if (::stat(path.c_str(), &status) == 0 && (status.st_mode & S_IRWXO) != 0)
        return failure(" is open to everybody", "chmod o= " + shell_word(path.string()));
    file.clear();
    std::string secret{std::istreambuf_iterator<char>(file), {}};
    if (secret.ends_with('\n')) secret.pop_back();
    if (secret.size() < least_bytes)
        return failure(" has fewer than " + std::to_string(least_bytes) + " bytes",
                       command_to_make_secret_file(path));
    return secret;
}

std::string command_to_make_secret_file(std::filesystem::path const& path) {
    return "openssl rand -base64 32 | install -m 640 -g " + own_group() + " /dev/stdin " +
           shell_word(path.string());
}

void hide_passwords(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        for (auto begin = argument.find("://"); begin != argument.npos;
             begin = argument.find("://", begin + 1)) {
            // This is user:password@host; the host is what follows the last @ before a slash.
            auto const authority =
                argument.substr(begin + 3, argument.find('/', begin + 3) - begin - 3);
            auto const colon = authority.find(':'), at = authority.rfind('@');
            if (colon == authority.npos || at == authority.npos || at < colon) continue;
            std::fill(argv[i] + begin + 3 + colon + 1, argv[i] + begin + 3 + at, '*');
        }
    }
}

} // namespace fcgi
