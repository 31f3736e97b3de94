#pragma once

#include "fcgi/http/http.hpp"

#include <map>
#include <string>
#include <string_view>

// What caches may do with an answer (RFC 9110, RFC 9111).

namespace fcgi {

// Cache-Control by the UID of a content type; `*` stands for those that are not listed.
using CacheControl = std::map<std::string, std::string, std::less<>>;

// Says on whose account the answer is kept: without credentials as configured for the type; with
// them `private`, and the directives that make sense then.
void add_cache_control(CacheControl const& configured, std::string_view uid, Request const& request,
                       Response& response);

// Adds an ETag made of the body, which is equal for equal bodies. Where the client has that body
// already (If-None-Match, compared weakly), the answer becomes 304 without one.
void add_validator(Request const& request, Response& response);

} // namespace fcgi
