#pragma once

#include "fcgi/http/http.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Headers of responses: what caches may do with one (RFC 9110, RFC 9111), and which origins may
// read it, as the middleware strapi::cors of Strapi 4.26 says: any, with credentials, unless the
// project says otherwise.

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

// The settings `origin`, `headers`, `expose`, `credentials` and `maxAge` of strapi::cors.
struct CorsRules {
    std::vector<std::string> origins; // empty: any
    std::vector<std::string> headers = {"Content-Type", "Authorization", "Origin", "Accept"};
    // Strapi exposes none, and sends no ETag either.
    std::vector<std::string> exposed = {"ETag"};
    bool credentials = true;
    std::size_t max_age = 31'536'000; // Access-Control-Max-Age in seconds; 0 omits it
};

// A preflight is OPTIONS with an origin and the method that the script wants to use.
bool is_preflight(Request const& request);
Headers preflight_headers(CorsRules const& rules);

// Call this for every response.
void add_cors(Request const& request, CorsRules const& rules, Response& response);

} // namespace fcgi
