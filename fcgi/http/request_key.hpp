#pragma once

#include "fcgi/http/http.hpp"

#include <string>
#include <string_view>

// Says what distinguishes requests, for answering them together and for caches on the way.

namespace fcgi {

// A header that a response can depend on; `request_headers` has them all.
struct RequestHeader {
    char const* parameter; // of FastCGI
    std::string_view name;
    std::string_view Request::* value;
    // Vary names it: a cache uses a stored response for requests that are equal in these.
    bool varies;
};
inline constexpr RequestHeader request_headers[] = {
    {"HTTP_ORIGIN", "Origin", &Request::origin, true},
    {"HTTP_AUTHORIZATION", "Authorization", &Request::authorization, true},
    {"HTTP_STRAPI_RESPONSE_FORMAT", "Strapi-Response-Format", &Request::response_format, true},
    // Only OPTIONS has this, whose responses are not cached.
    {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "Access-Control-Request-Method",
     &Request::access_control_request_method, false},
    // Caches answer this from their entries.
    {"HTTP_IF_NONE_MATCH", "If-None-Match", &Request::if_none_match, false},
};

// Returns the value of Vary.
std::string const& varying_headers();

// Returns whether they are equal in all that a response depends on, and so get equal responses.
bool ask_the_same(Request const& one, Request const& other);

} // namespace fcgi
