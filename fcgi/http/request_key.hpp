#pragma once

#include "db/plan/permissions.hpp"
#include "db/plan/read_plan.hpp"
#include "fcgi/http/http.hpp"

#include <memory>
#include <string>
#include <string_view>

// What tells requests apart, in one place: for those who are answered together, for plans, and for
// caches on the way.

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

// What tells content apart: a raw path and query, as a caller with these very permissions asks for
// them in a format. Who keeps something by it holds the permissions too, lest others come to have
// their address.
struct ContentKey {
    std::shared_ptr<db::Permissions const> const& permissions;
    std::string_view path;
    std::string_view query;
    db::ReadPlan::Format document_format;

    std::string text() const;
};

// Appends what tells whole answers apart: requests with equal keys get equal answers.
void append_request_key(std::string& out, Request const& request);

} // namespace fcgi
