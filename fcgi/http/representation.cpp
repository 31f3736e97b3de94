#include "fcgi/http/representation.hpp"

#include "parser/base/javascript.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace fcgi {

namespace {

// https://www.w3.org/TR/server-timing/: `parse;dur=0.052`, in milliseconds.
std::string server_timing(StageTimes const& times) {
    std::string value;
    auto const append = [&](std::string_view name, StageTimes::Duration duration) {
        std::array<char, 32> number;
        auto const end = std::to_chars(number.begin(), number.end(), milliseconds(duration),
                                       std::chars_format::fixed, 3)
                             .ptr;
        value.append(value.empty() ? "" : ", ").append(name).append(";dur=");
        value.append(number.begin(), end);
    };
    for (auto const& [name, time] : times.reached())
        append(name, time);
    append("total", times.total());
    return value;
}

// Writes what is the same for all who get the representation. Takes headers, tag and body away from
// it.
void put(Representation& representation, Response& response) {
    response.status = representation.status;
    response.headers.clear();
    if (!representation.media_type.empty())
        response.headers.emplace_back("Content-Type", representation.media_type);
    for (auto& header : representation.headers)
        response.headers.push_back(std::move(header));
    if (!representation.entity_tag.empty())
        response.headers.emplace_back("ETag", std::move(representation.entity_tag));
    response.body = std::move(representation.body);
}

// Tells a cache in front by which names it hears of changes, or that it would hear of none.
void add_edge_headers(std::string_view header, std::string const* tag_names, Response& response) {
    if (!tag_names || tag_names->empty())
        response.headers.emplace_back("Surrogate-Control", "no-store");
    else
        response.headers.emplace_back(header, *tag_names);
}

boost::json::value details_of(parser::Error const& error) {
    if (!error.subject || error.subject->details.empty()) return boost::json::object();
    return boost::json::parse(error.subject->details);
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return parser::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

std::string status_line(int status) {
    return "Status: " + std::to_string(status) + ' ' + std::string(reason_phrase(status)) + "\r\n";
}

// Returns all header lines of the response that hands a request over, in the form that the web
// server named: no others, because web servers merge them into the CMS's response. A form without a
// status of its own has that of the error. Empty: there is no such form.
std::string hand_over_signal(std::string_view form, int status) {
    if (form.empty() || std::ranges::any_of(form, is_control)) return {};
    if (form.size() == 3 && std::ranges::all_of(form, parser::is_digit))
        return status_line(std::stoi(std::string(form)));
    bool const is_uri = form.front() == '/' || form.front() == '@';
    if (!is_uri && !is_token(form)) return {};
    return status_line(status)
        .append(is_uri ? "X-Accel-Redirect" : form)
        .append(": ")
        .append(is_uri ? form : "yes")
        .append("\r\n");
}

} // namespace

ErrorStatus error_status(parser::ErrorKind kind) {
    using enum parser::ErrorKind;
    switch (kind) {
    case invalid:
    case unknown_name:
    case over_limit:
        return {400, "ValidationError"};
    case invalid_pagination:
        return {400, "PaginationError"};
    case malformed:
        return {.status = 400, .name = "BadRequestError", .has_details = false};
    case unauthenticated:
        return {
            .status = 401, .name = "UnauthorizedError", .handed_over = HandOver::unknown_caller};
    case not_permitted:
        return {403, "ForbiddenError"};
    case not_found:
        return {.status = 404, .name = "NotFoundError", .handed_over = HandOver::not_found};
    case method_not_allowed:
        return {405, "MethodNotAllowedError"};
    case not_implemented:
        return {501, "NotImplementedError"};
    case unreachable:
    case connection_lost:
    case schema_changed:
    case unsupported:
    case not_granted:
        return {.status = 502,
                .name = "BadGatewayError",
                .retry_after = 1,
                .handed_over = HandOver::database};
    case unavailable:
    case conflict:
        return {.status = 503, .name = "ServiceUnavailableError", .retry_after = 1};
    case timed_out:
        return {504, "GatewayTimeoutError"};
    case configuration:
    case internal:
        break;
    }
    return {.status = 500,
            .name = "InternalServerError",
            .has_details = false,
            .handed_over = HandOver::error};
}

Representation error_representation(parser::Error const& error) {
    auto const [status, name, has_details, retry_after, handed_over] = error_status(error.kind);
    boost::json::object members{{"status", status}, {"name", name}, {"message", error.message}};
    if (has_details) members.emplace("details", details_of(error));
    Representation representation;
    representation.status = status;
    if (error.kind == parser::ErrorKind::method_not_allowed ||
        error.kind == parser::ErrorKind::not_implemented)
        representation.headers.emplace_back("Allow", allowed_methods);
    if (retry_after != 0)
        representation.headers.emplace_back("Retry-After", std::to_string(retry_after));
    representation.body.own() = boost::json::serialize(
        boost::json::object{{"data", nullptr}, {"error", std::move(members)}});
    return representation;
}

Representation options_representation(Request const& request, CorsRules const& rules) {
    Representation representation;
    if (is_preflight(request)) {
        representation.status = 204;
        representation.media_type = {};
        representation.headers = preflight_headers(rules);
    } else {
        representation.media_type = "text/plain; charset=utf-8";
        representation.headers.emplace_back("Allow", allowed_methods);
    }
    return representation;
}

void add_entity_tag(Representation& representation) {
    if (representation.entity_tag.empty() && !representation.body.empty())
        representation.entity_tag = entity_tag(representation.body.bytes());
}

void write_response(Representation representation, Request const& request,
                    ResponseRules const& rules, Response& response) {
    if (representation.status == 200) add_entity_tag(representation);
    if (!request.if_none_match.empty() && !representation.entity_tag.empty() &&
        lists(request.if_none_match, representation.entity_tag)) {
        representation.status = 304;
        representation.media_type = {};
        representation.body.clear();
    }
    put(representation, response);
    if (request.is_from_edge)
        add_edge_headers(rules.surrogate_key, representation.tag_names.get(), response);
    response.headers_only = request.method == "HEAD";
    if (representation.cache_directives)
        if (auto value = cache_control(*representation.cache_directives, request); !value.empty())
            response.headers.emplace_back("Cache-Control", std::move(value));
    StageTimes& times = response.trace.times;
    times.stop();
    if (rules.server_timing) response.headers.emplace_back("Server-Timing", server_timing(times));
    add_cors(request, rules.cors, response);
    auto& vary = response.headers.emplace_back("Vary", varying_headers()).second;
    if (rules.packs) vary += ", Accept-Encoding";
}

void note_failure(parser::Error const& error, Trace& trace) {
    if (error.subject) trace.limit = error.subject->limit;
    trace.reason = error.cause;
}

bool hand_over(parser::ErrorKind failure, Request const& request, Response& response) {
    auto const failed = error_status(failure);
    if (failed.handed_over == HandOver::none) return false;
    auto signal = hand_over_signal(request.hand_over, failed.status);
    if (signal.empty()) return false;
    response.status = failed.status;
    response.headers.clear();
    response.body.clear();
    response.hand_over_signal = std::move(signal);
    response.trace.handed_over = failed.handed_over;
    response.trace.times.stop();
    return true;
}

void write_error(parser::Error const& error, Request const& request, Response& response) {
    note_failure(error, response.trace);
    if (hand_over(error.kind, request, response)) return;
    auto representation = error_representation(error);
    put(representation, response);
    if (request.is_from_edge) add_edge_headers({}, {}, response);
}

} // namespace fcgi
