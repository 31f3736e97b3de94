#include "fcgi/http/cors.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>

namespace fcgi {

bool is_preflight(Request const& request) {
    return request.method == "OPTIONS" && !request.origin.empty() &&
           !request.access_control_request_method.empty();
}

Headers preflight_headers(CorsRules const& rules) {
    Headers headers;
    if (rules.max_age != 0)
        headers.emplace_back("Access-Control-Max-Age", std::to_string(rules.max_age));
    headers.emplace_back("Access-Control-Allow-Methods", "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    headers.emplace_back("Access-Control-Allow-Headers", boost::join(rules.headers, ","));
    return headers;
}

void add_cors(Request const& request, CorsRules const& rules, Response& response) {
    bool const any = rules.origins.empty();
    bool const named = std::ranges::find(rules.origins, request.origin) != rules.origins.end();
    if (request.origin.empty() || (!any && !named)) return;
    // With credentials browsers take no `*`.
    std::string origin(any && !rules.credentials ? "*" : request.origin);
    response.headers.emplace_back("Access-Control-Allow-Origin", std::move(origin));
    if (rules.credentials)
        response.headers.emplace_back("Access-Control-Allow-Credentials", "true");
    auto exposed = boost::join(rules.exposed, ",");
    if (!exposed.empty() && request.method != "OPTIONS")
        response.headers.emplace_back("Access-Control-Expose-Headers", std::move(exposed));
}

} // namespace fcgi
