#include "fcgi/access/credentials.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/json.hpp>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>

namespace fcgi {

using parser::Error;
using parser::Result;

namespace {

constexpr std::size_t cached_accounts = 10'000;

Error unauthorized(std::string message, std::string cause) {
    return {parser::ErrorKind::unauthenticated, std::move(message), std::move(cause)};
}

Error missing(std::string cause) {
    return unauthorized("Missing or invalid credentials", std::move(cause));
}

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

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

// Returns the hash of an algorithm that the rules take; null: it is another.
EVP_MD const* hash_of(boost::json::object const& header, db::AccountRules const& rules) {
    auto const* const name = header.if_contains("alg");
    if (!name || !name->is_string()) return nullptr;
    if (*name == "HS256") return EVP_sha256();
    if (*name == "HS384" && rules.takes_longer_hashes) return EVP_sha384();
    if (*name == "HS512" && rules.takes_longer_hashes) return EVP_sha512();
    return nullptr;
}

// A JSON Web Token (RFC 7519) in its compact form (RFC 7515), as far as Strapi signs them: with a
// hash and a secret (RFC 7518, section 3.2). Holds views of the text that it was read from.
struct Jwt {
    EVP_MD const* hash;                        // null: the rules do not take its algorithm
    std::optional<boost::json::object> claims; // none: the payload is no object
    std::string_view signed_text, signature;

    bool is_signed_by(std::string_view secret) const;
};

// Returns none if the text is no JWT.
std::optional<Jwt> read_jwt(std::string_view text, db::AccountRules const& rules) {
    auto const first = text.find('.');
    auto const last = text.rfind('.');
    if (first == last || text.find('.', first + 1) != last) return std::nullopt;
    auto const header = object_in(text.substr(0, first));
    if (!header) return std::nullopt;
    return Jwt{hash_of(*header, rules), object_in(text.substr(first + 1, last - first - 1)),
               text.substr(0, last), text.substr(last + 1)};
}

bool Jwt::is_signed_by(std::string_view secret) const {
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

// A time claim is absent or a number of seconds; anything else makes the token invalid.
std::optional<std::optional<double>> time_claim(boost::json::object const& claims,
                                                std::string_view name) {
    auto const* value = claims.if_contains(name);
    if (!value) return std::optional<double>();
    if (!value->is_number()) return std::nullopt;
    return std::optional(value->to_number<double>());
}

std::optional<std::string> user_id(boost::json::object const& claims) {
    auto const* id = claims.if_contains("id");
    if (!id) return std::nullopt;
    if (id->is_string()) return std::string(id->get_string());
    if (id->is_number() || id->is_null()) return boost::json::serialize(*id);
    return std::nullopt;
}

// Returns why the user may not come in; empty: the user may.
std::string why_not_admitted(std::string const& id, std::optional<Cached<db::User>> const& user,
                             db::Site const& site) {
    if (!user) return "there is no user " + id;
    if (user->value.blocked) return "user " + id + " is blocked";
    if (site.email_confirmation && !user->value.confirmed)
        return "user " + id + " has not confirmed the e-mail address";
    return {};
}

} // namespace

std::optional<std::string> bearer_token(std::string_view authorization) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < authorization.size();) {
        if (is_space(authorization[at])) {
            ++at;
            continue;
        }
        auto const end = std::find_if(authorization.begin() + static_cast<std::ptrdiff_t>(at),
                                      authorization.end(), is_space);
        auto const size = static_cast<std::size_t>(end - authorization.begin()) - at;
        words.push_back(authorization.substr(at, size));
        at += size;
    }
    constexpr std::string_view scheme = "bearer";
    auto const same = [](char a, char b) { return (a | 0x20) == b; };
    if (words.size() != 2 || !std::ranges::equal(words[0], scheme, same)) return std::nullopt;
    return std::string(words[1]);
}

Result<std::string> verify_jwt(std::string const& token, std::string const& secret,
                               std::chrono::system_clock::time_point now,
                               db::AccountRules const& rules) {
    auto const jwt = read_jwt(token, rules);
    if (!jwt) return missing("it is not a JWT");
    if (secret.empty()) return missing("it is a JWT, and jwt-secret is not set");
    if (!jwt->hash)
        return missing(rules.takes_longer_hashes
                           ? "it is a JWT with another algorithm than HS256, HS384 and HS512"
                           : "it is a JWT with another algorithm than HS256");
    if (!jwt->is_signed_by(secret))
        return missing("it is a JWT that was signed with another secret than jwt-secret");
    auto const& claims = jwt->claims;
    if (!claims) return missing("it is a JWT without claims");
    auto const expires = time_claim(*claims, "exp");
    auto const starts = time_claim(*claims, "nbf");
    auto const seconds = static_cast<double>(
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count());
    if (!expires || !starts) return missing("it is a JWT whose exp or nbf is not a number");
    if (*expires && seconds >= **expires) return missing("it is a JWT that has expired");
    if (*starts && **starts > seconds) return missing("it is a JWT that is not valid yet (nbf)");
    auto id = user_id(*claims);
    if (!id) return missing("it is a JWT without the id of a user");
    return *std::move(id);
}

std::string hash_api_token(std::string_view token, std::string_view salt) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    HMAC(EVP_sha512(), salt.data(), static_cast<int>(salt.size()), octets(token.data()),
         token.size(), digest.data(), &size);
    std::string hex(2 * std::size_t{size}, '\0');
    boost::algorithm::hex_lower(digest.begin(), digest.begin() + size, hex.begin());
    return hex;
}

template<class Account>
Result<std::optional<Cached<Account>>>
KnownAccounts<Account>::find(std::string const& key, Read read, AccountSource const& source,
                             Tables const& tables) {
    {
        std::lock_guard const lock(mutex_);
        auto const found = accounts_.find(key);
        if (found != accounts_.end() && source.fresh.holds(found->second.origin))
            return std::optional(found->second);
    }
    if (!source.pool) return parser::unavailable("the account is not known");
    auto lease = source.pool->acquire(source.acquire);
    if (!lease) return lease.error();
    auto const moment =
        source.fresh.begin(*lease, db::Extent::snapshot, tables, {source.acquire.end()});
    if (!moment) return moment.error();
    auto account = read(**lease, source.schema, key);
    if (!account) return account.error();
    if (!*account) return std::nullopt;
    Cached<Account> cached{**std::move(account), {tables, *moment}};
    store(key, cached);
    return std::optional(std::move(cached));
}

template<class Account>
void KnownAccounts<Account>::store(std::string const& key, Cached<Account>& account) {
    std::lock_guard const lock(mutex_);
    if (accounts_.size() >= cached_accounts) {
        accounts_.clear();
        permissions_.clear();
    }
    if (auto& permissions = account.value.permissions) {
        auto const same = std::ranges::find_if(
            permissions_, [&](auto const& known) { return *known == *permissions; });
        if (same != permissions_.end())
            permissions = *same;
        else
            permissions_.push_back(permissions);
    }
    accounts_.insert_or_assign(key, account);
}

Result<Caller> Accounts::authenticate(std::string_view authorization, Secrets const& secrets,
                                      db::Site const& site, AccountSource const& source) {
    auto const bearer = bearer_token(authorization);
    if (!bearer) {
        // A public role that may do nothing at all admits no caller.
        if (!site.public_role)
            return missing(
                "the request has no credentials, and the public role has no permissions");
        return Caller{site.public_role, {}, "the public role", {}};
    }
    auto const now = std::chrono::system_clock::now();
    auto const id = verify_jwt(*bearer, secrets.jwt, now, source.schema.cms.accounts);
    if (id && source.schema.has_sessions)
        return missing("it is a JWT of a session, which the CMS may have ended");
    if (id) {
        auto const found = users_.find(*id, db::read_user, source, source.tables.users);
        if (!found) return found.error();
        if (auto const why = why_not_admitted(*id, *found, site); !why.empty())
            return unauthorized("Invalid credentials", why);
        auto const& [user, origin] = **found;
        if (!user.permissions) return missing("user " + *id + " has no role");
        return Caller{user.permissions, user.id, "user " + *id + " with the role " + user.role,
                      origin};
    }
    // A text that is no JWT may be an API token.
    std::string const no_jwt = id.error().cause;
    if (secrets.api_token_salt.empty())
        return missing(no_jwt + "; whether it is an API token cannot be known: api-token-salt is "
                                "not set");
    auto const token = api_tokens_.find(hash_api_token(*bearer, secrets.api_token_salt),
                                        db::read_api_token, source, source.tables.tokens);
    if (!token) return token.error();
    if (!*token)
        return missing(no_jwt + "; no API token has its hash either: it is unknown, was deleted, "
                                "or api-token-salt is not API_TOKEN_SALT of the CMS");
    auto const& [value, origin] = **token;
    if (value.is_for_admin)
        return missing("the " + value.name + " is for the admin panel, not for content");
    if (value.expires_at && *value.expires_at < now)
        return unauthorized("Token expired", "the " + value.name + " has expired");
    return Caller{value.permissions, {}, "the " + value.name, origin};
}

} // namespace fcgi
