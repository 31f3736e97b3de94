#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

// JSON Web Tokens (RFC 7519) in their compact form (RFC 7515), as far as Strapi signs them: with a
// hash and a secret (RFC 7518, section 3.2).

namespace fcgi {

enum class JwtAlgorithm { hs256, hs384, hs512, other };

// Holds views of the text that it was read from.
struct Jwt {
    JwtAlgorithm algorithm = JwtAlgorithm::other;
    std::optional<boost::json::object> claims; // none: the payload is no object
    std::string_view signed_text, signature;

    // Checks the signature by `algorithm`; false for another than these three.
    bool is_signed_by(std::string_view secret) const;
};

// Returns none if the text is no JWT.
std::optional<Jwt> read_jwt(std::string_view text);

} // namespace fcgi
