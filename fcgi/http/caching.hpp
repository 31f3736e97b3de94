#pragma once

#include "fcgi/http/http.hpp"

#include <map>
#include <string>
#include <string_view>

// Says what caches may do with a response (RFC 9110, RFC 9111).

namespace fcgi {

// Cache-Control by the UID of a content type; `*` stands for those that are not listed.
using CacheControl = std::map<std::string, std::string, std::less<>>;

// Returns the directives of a type; empty: none. The result is a view into `configured`.
std::string_view directives_of(CacheControl const& configured, std::string_view uid);

// Returns the Cache-Control of a response: for a request without credentials the directives as they
// are; with credentials `private`, and those that make sense then. Empty: none is sent.
std::string cache_control(std::string_view directives, Request const& request);

// Returns a tag made of a body: equal for equal bodies.
std::string entity_tag(std::string_view body);

// Returns the tag for the compressed form of the same body.
std::string packed_tag(std::string_view tag);

// Returns what separates the names in a header that tells a cache in front what a response depends
// on: a comma in Cache-Tag and Edge-Cache-Tag, else a blank, as in Surrogate-Key and xkey.
char separator_of(std::string_view surrogate_key);

// Returns whether a value of If-None-Match like `"a", W/"b"` has the tag, compared weakly, whether
// the body is compressed or not, or is `*`. Returns false for a value that is no such list.
bool lists(std::string_view list, std::string_view tag);

} // namespace fcgi
