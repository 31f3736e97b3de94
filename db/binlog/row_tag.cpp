#include "db/binlog/row_tag.hpp"

#include "db/binlog/changes.hpp"

#include <array>
#include <new>
#include <tuple>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace db {

TagValue tag_value(std::uint64_t id) {
    return {reinterpret_cast<char const*>(&id), sizeof id};
}

std::optional<TagValue> tag_value(std::string_view text) {
    if (text.empty() || text.size() > TagValue::static_capacity) return std::nullopt;
    TagValue value;
    for (char const c : text) {
        bool const is_upper = c >= 'A' && c <= 'Z';
        bool const is_lower = c >= 'a' && c <= 'z';
        bool const is_other =
            (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '~';
        if (!is_upper && !is_lower && !is_other) return std::nullopt;
        value.push_back(is_upper ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return value;
}

bool operator<(RowTag const& left, RowTag const& right) {
    auto const key = [](RowTag const& tag) {
        return std::tuple(tag.table, tag.aspect, tag.column,
                          std::string_view(tag.value.data(), tag.value.size()));
    };
    return key(left) < key(right);
}

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned digit_bits = 6;
constexpr unsigned name_bits = 48; // of a million tags, any two have one name with 0.2 %

std::string text_of(ChangeLog::Table const& table) {
    return std::string(table.name).append(1, '\0');
}

} // namespace

void TagNames::FreeMac::operator()(EVP_MAC_CTX* context) const {
    EVP_MAC_CTX_free(context);
}

TagNames::TagNames(std::string_view secret) {
    auto* const hmac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    mac_.reset(hmac ? EVP_MAC_CTX_new(hmac) : nullptr);
    EVP_MAC_free(hmac);
    char digest[] = "SHA256";
    OSSL_PARAM const parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end()};
    auto const* const key = reinterpret_cast<unsigned char const*>(secret.data());
    if (!mac_ || !EVP_MAC_init(mac_.get(), key, secret.size(), parameters)) throw std::bad_alloc();
}

TagNames::TagNames(TagNames const& other) : mac_(EVP_MAC_CTX_dup(other.mac_.get())) {
    if (!mac_) throw std::bad_alloc();
}

// Names of databases and tables have no NUL, so that no two texts are equal.
std::string TagNames::of_all() {
    return name({});
}

std::string TagNames::of(ChangeLog::Table const& table) {
    return name(text_of(table));
}

std::string TagNames::of(RowTag const& tag) {
    auto text = text_of(*tag.table);
    text += static_cast<char>(tag.aspect);
    text += static_cast<char>(tag.column & 0xff);
    text += static_cast<char>(tag.column >> 8);
    return name(text.append(tag.value.data(), tag.value.size()));
}

std::string TagNames::name(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    auto const* const bytes = reinterpret_cast<unsigned char const*>(text.data());
    std::size_t size = 0;
    if (!EVP_MAC_init(mac_.get(), nullptr, 0, nullptr) ||
        !EVP_MAC_update(mac_.get(), bytes, text.size()) ||
        !EVP_MAC_final(mac_.get(), digest.data(), &size, digest.size()))
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
