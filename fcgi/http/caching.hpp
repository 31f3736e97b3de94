#pragma once

#include "fcgi/http/http.hpp"

#include <map>
#include <string>
#include <string_view>

// What caches may do with an answer (RFC 9110, RFC 9111).

namespace fcgi {

// Cache-Control by the UID of a content type; `*` stands for those that are not listed.
using CacheControl = std::map<std::string, std::string, std::less<>>;

// Those of a type; empty: none. A view into `configured`.
std::string_view directives_of(CacheControl const& configured, std::string_view uid);

// On whose account an answer with such directives is kept: without credentials as they say; with
// them `private`, and those that make sense then. Empty: nothing is said.
std::string cache_control(std::string_view directives, Request const& request);

// Made of a body: equal for equal bodies.
std::string entity_tag(std::string_view body);

// The tag of the same body packed.
std::string packed_tag(std::string_view tag);

// Whether a value of If-None-Match like `"a", W/"b"` has the tag, compared weakly, or that of the
// same body packed or not, or is `*`. What is no such list has none.
bool lists(std::string_view list, std::string_view tag);

} // namespace fcgi
