#pragma once

#include "fcgi/http.hpp"

#include <string>
#include <vector>

// Cross-origin headers as Strapi 4.26 sends them by default: any origin may read, with credentials.
// `cors-origins` names those that may instead.

namespace fcgi {

// OPTIONS with an origin and the method that it asks leave for.
bool is_preflight(Request const& request);
void write_preflight(Response& response);

// To every answer. `origins` is empty for any.
void add_cors(Request const& request, std::vector<std::string> const& origins, Response& response);

} // namespace fcgi
