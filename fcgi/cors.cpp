#include "fcgi/cors.hpp"

#include <algorithm>

namespace fcgi {

bool is_preflight(Request const& request) {
    return request.method == "OPTIONS" && !request.origin.empty() &&
           !request.access_control_request_method.empty();
}

void write_preflight(Response& response) {
    response.status = 204;
    response.headers.emplace_back("Access-Control-Max-Age", "31536000");
    response.headers.emplace_back("Access-Control-Allow-Methods",
                                  "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    response.headers.emplace_back("Access-Control-Allow-Headers",
                                  "Content-Type,Authorization,Origin,Accept");
}

void add_cors(Request const& request, std::vector<std::string> const& origins, Response& response) {
    bool const named = std::ranges::find(origins, request.origin) != origins.end();
    if (request.origin.empty() || (!origins.empty() && !named)) return;
    response.headers.emplace_back("Access-Control-Allow-Origin", std::string(request.origin));
    response.headers.emplace_back("Access-Control-Allow-Credentials", "true");
}

} // namespace fcgi
