#include "db/schema/document_id.hpp"

#include <openssl/sha.h>

#include <algorithm>

namespace db {

std::string document_id(std::array<unsigned char, 24> const& bytes) {
    constexpr std::string_view signs = "abcdefghijklmnopqrstuvwxyz0123456789";
    constexpr std::size_t letters = 26;
    std::string id;
    for (unsigned char const byte : bytes)
        id += signs[byte % (id.empty() ? letters : signs.size())];
    return id;
}

std::string stable_document_id(std::string_view uid, std::string_view key) {
    auto const text = std::string(uid) + ' ' + std::string(key);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
    std::array<unsigned char, 24> bytes{};
    std::copy_n(digest.begin(), bytes.size(), bytes.begin());
    return document_id(bytes);
}

} // namespace db
