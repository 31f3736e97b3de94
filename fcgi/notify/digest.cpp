#include "fcgi/notify/digest.hpp"

#include <array>

#include <openssl/sha.h>

namespace fcgi::notify {

std::string digest_of(std::string_view text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> bytes{};
    SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), bytes.data());
    constexpr std::string_view digits = "0123456789abcdef";
    std::string digest;
    for (auto const byte : bytes)
        (digest += digits[byte >> 4]) += digits[byte & 15];
    return digest;
}

} // namespace fcgi::notify
