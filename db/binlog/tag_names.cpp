#include "db/binlog/tag_names.hpp"

#include "db/binlog/changes.hpp"

#include <array>
#include <cstdint>
#include <new>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace db {

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned digit_bits = 6;
constexpr unsigned name_bits = 48; // of a million tags, any two have one name with 0.2 %

std::string text_of(ChangeLog::Table const& table) {
    return std::string(table.name).append(1, '\0');
}

} // namespace

// Names of databases and tables have no NUL, so that no two texts are equal.
std::string TagNames::of_all() const {
    return name({});
}

std::string TagNames::of(ChangeLog::Table const& table) const {
    return name(text_of(table));
}

std::string TagNames::of(RowTag const& tag) const {
    auto text = text_of(*tag.table);
    text += static_cast<char>(tag.kind);
    text += static_cast<char>(tag.column & 0xff);
    text += static_cast<char>(tag.column >> 8);
    return name(text.append(tag.value.data(), tag.value.size()));
}

std::string TagNames::name(std::string_view text) const {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    if (!HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
              reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data(),
              nullptr))
        throw std::bad_alloc();
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < name_bits / 8; ++i)
        bits = bits << 8 | digest[i];
    std::string name;
    for (unsigned left = name_bits; left > 0; left -= digit_bits)
        name += digits[bits >> (left - digit_bits) & 63];
    return name;
}

} // namespace db
