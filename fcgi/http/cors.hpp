#pragma once

#include "fcgi/http/http.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Cross-origin headers as the middleware strapi::cors of Strapi 4.26 sends them: any origin may
// read, with credentials, unless the project says otherwise.

namespace fcgi {

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
