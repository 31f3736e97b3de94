#pragma once

#include "fcgi/http/http.hpp"

#include <string>
#include <string_view>

// What tells requests apart: for those that are answered together, and for caches on the way.

namespace fcgi {

// All headers that an answer can depend on.
struct RequestHeader {
    char const* parameter; // of FastCGI
    std::string_view name;
    std::string_view Request::* value;
    // Named in Vary: a cache that keeps an answer keeps it for requests that are equal in these.
    bool varies;
};
inline constexpr RequestHeader request_headers[] = {
    {"HTTP_ORIGIN", "Origin", &Request::origin, true},
    {"HTTP_AUTHORIZATION", "Authorization", &Request::authorization, true},
    {"HTTP_STRAPI_RESPONSE_FORMAT", "Strapi-Response-Format", &Request::response_format, true},
    // Of OPTIONS, whose answers nobody keeps.
    {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "Access-Control-Request-Method",
     &Request::access_control_request_method, false},
    // Caches answer it from what they keep.
    {"HTTP_IF_NONE_MATCH", "If-None-Match", &Request::if_none_match, false},
};

// The value of Vary.
std::string const& varying_headers();

// Whether they are equal in all that an answer depends on, and so get equal answers.
bool ask_the_same(Request const& one, Request const& other);

} // namespace fcgi
