#include "fcgi/http/response_headers.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace fcgi {

namespace {

std::string_view cut_until(std::string_view& list, char end) {
    auto const front = list.substr(0, list.find(end));
    list.remove_prefix(std::min(front.size() + 1, list.size()));
    return front;
}

bool is_for_shared_caches(std::string_view directive) {
    return boost::iequals(directive, "public") || boost::istarts_with(directive, "s-maxage");
}

constexpr std::string_view packed_suffix = "-gz";

std::string_view content_of(std::string_view tag) {
    if (tag.ends_with(packed_suffix)) tag.remove_suffix(packed_suffix.size());
    return tag;
}

std::string for_one_user(std::string_view directives) {
    std::string result = "private";
    while (!directives.empty()) {
        auto const directive = boost::trim_copy(std::string(cut_until(directives, ',')));
        if (!directive.empty() && directive != "private" && !is_for_shared_caches(directive))
            result.append(", ").append(directive);
    }
    return result;
}

} // namespace

std::string_view directives_of(CacheControl const& configured, std::string_view uid) {
    auto found = configured.find(uid);
    if (found == configured.end()) found = configured.find(std::string_view("*"));
    return found == configured.end() ? std::string_view() : found->second;
}

std::string cache_control(std::string_view directives, Request const& request) {
    return request.authorization.empty() ? std::string(directives) : for_one_user(directives);
}

std::string entity_tag(std::string_view body) {
    std::array<char, 16> digits;
    auto const hash = XXH3_64bits(body.data(), body.size());
    auto const end = std::to_chars(digits.begin(), digits.end(), hash, 16).ptr;
    return '"' + std::string(digits.begin(), end) + '"';
}

std::string packed_tag(std::string_view tag) {
    return std::string(tag.substr(0, tag.size() - 1)).append(packed_suffix) + '"';
}

char separator_of(std::string_view surrogate_key) {
    return boost::iends_with(surrogate_key, "Cache-Tag") ? ',' : ' ';
}

bool lists(std::string_view list, std::string_view tag) {
    auto const wanted = content_of(tag.substr(1, tag.size() - 2));
    if (boost::trim_copy(std::string(list)) == "*") return true;
    while (list.find('"') != list.npos) {
        auto const before = boost::trim_copy(std::string(cut_until(list, '"')));
        if (!before.empty() && !before.ends_with(',') && !before.ends_with("W/")) return false;
        if (list.find('"') == list.npos) return false;
        if (content_of(cut_until(list, '"')) == wanted) return true;
    }
    return false;
}

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
