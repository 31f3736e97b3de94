#include "fcgi/access/jwt.hpp"

#include <boost/json/parse.hpp>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <string>

namespace fcgi {

namespace {

unsigned char* octets(char* text) {
    return reinterpret_cast<unsigned char*>(text);
}

unsigned char const* octets(char const* text) {
    return reinterpret_cast<unsigned char const*>(text);
}

// Decodes RFC 4648, section 5, without padding; OpenSSL has the alphabet of section 4, padded to
// fours.
std::optional<std::string> from_base64url(std::string_view text) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (text.find_first_not_of(alphabet) != text.npos || text.size() % 4 == 1) return std::nullopt;
    std::string padded(text);
    std::ranges::replace(padded, '-', '+');
    std::ranges::replace(padded, '_', '/');
    padded.resize((text.size() + 3) / 4 * 4, '=');
    std::string bytes(padded.size() / 4 * 3, '\0');
    if (EVP_DecodeBlock(octets(bytes.data()), octets(padded.data()),
                        static_cast<int>(padded.size())) < 0)
        return std::nullopt;
    bytes.resize(text.size() * 3 / 4);
    return bytes;
}

std::string to_base64url(unsigned char const* bytes, std::size_t size) {
    std::string text((size + 2) / 3 * 4 + 1, '\0'); // it ends with a zero
    auto const length = EVP_EncodeBlock(octets(text.data()), bytes, static_cast<int>(size));
    text.resize(static_cast<std::size_t>(length));
    text.resize(text.find_last_not_of('=') + 1);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

std::optional<boost::json::object> object_in(std::string_view part) {
    auto const text = from_base64url(part);
    if (!text) return std::nullopt;
    boost::system::error_code malformed;
    auto value = boost::json::parse(*text, malformed);
    if (malformed || !value.is_object()) return std::nullopt;
    return std::move(value.get_object());
}

JwtAlgorithm algorithm_of(boost::json::object const& header) {
    auto const* const name = header.if_contains("alg");
    if (!name || !name->is_string()) return JwtAlgorithm::other;
    if (*name == "HS256") return JwtAlgorithm::hs256;
    if (*name == "HS384") return JwtAlgorithm::hs384;
    if (*name == "HS512") return JwtAlgorithm::hs512;
    return JwtAlgorithm::other;
}

EVP_MD const* digest(JwtAlgorithm algorithm) {
    switch (algorithm) {
    case JwtAlgorithm::hs256:
        return EVP_sha256();
    case JwtAlgorithm::hs384:
        return EVP_sha384();
    case JwtAlgorithm::hs512:
        return EVP_sha512();
    case JwtAlgorithm::other:
        break;
    }
    return nullptr;
}

} // namespace

std::optional<Jwt> read_jwt(std::string_view text) {
    auto const first = text.find('.');
    auto const last = text.rfind('.');
    if (first == last || text.find('.', first + 1) != last) return std::nullopt;
    auto const header = object_in(text.substr(0, first));
    if (!header) return std::nullopt;
    return Jwt{algorithm_of(*header), object_in(text.substr(first + 1, last - first - 1)),
               text.substr(0, last), text.substr(last + 1)};
}

bool Jwt::is_signed_by(std::string_view secret) const {
    auto const* const hash = digest(algorithm);
    if (!hash) return false;
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    if (!HMAC(hash, secret.data(), static_cast<int>(secret.size()), octets(signed_text.data()),
              signed_text.size(), bytes.data(), &size))
        return false;
    auto const expected = to_base64url(bytes.data(), size);
    // The time that this takes does not show how much of it is right.
    return expected.size() == signature.size() &&
           CRYPTO_memcmp(expected.data(), signature.data(), expected.size()) == 0;
}

} // namespace fcgi
