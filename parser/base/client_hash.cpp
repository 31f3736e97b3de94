#include "parser/base/client_hash.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/random.h>

namespace parser {

namespace {

using Secret = std::array<unsigned char, XXH3_SECRET_SIZE_MIN>;

Secret draw_secret() {
    Secret secret;
    // getrandom gives so few bytes at once, or not at all.
    if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size()))
        throw std::system_error(errno, std::generic_category(), "getrandom");
    return secret;
}

} // namespace

std::size_t ClientHash::operator()(std::string_view key) const {
    static Secret const secret = draw_secret();
    return XXH3_64bits_withSecret(key.data(), key.size(), secret.data(), secret.size());
}

} // namespace parser
