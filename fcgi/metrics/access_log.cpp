#include "fcgi/metrics/access_log.hpp"

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/server/request_head.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace fcgi {

namespace {

void add_times(LogLine& line, StageTimes const& times) {
    for (auto const& [name, time] : times.reached())
        line.add_milliseconds(std::string(name) + "_ms", milliseconds(time));
}

// Returns the target as the web server sends it; without REQUEST_URI it is decoded.
std::string_view target_of(RequestHead const& head) {
    auto const target = head.value("REQUEST_URI");
    return target.empty() ? head.value("DOCUMENT_URI") : target;
}

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// Returns whether this is a request id as nginx makes them.
bool is_request_id(std::string_view text) {
    return text.size() == 32 && std::ranges::all_of(text, is_hex_digit);
}

bool is_safe(std::string_view text) {
    constexpr std::size_t longest = 64;
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    });
}

// Returns the web server's id; else the client's, if it can do no harm; else our own.
std::string request_id(RequestHead const* head, std::uint64_t number) {
    if (head) {
        if (auto const id = head->value("REQUEST_ID"); is_request_id(id)) return std::string(id);
        if (auto const id = head->value("HTTP_X_REQUEST_ID"); is_safe(id)) return std::string(id);
    }
    std::array<char, 20> digits;
    auto const end = std::to_chars(digits.begin(), digits.end(), number, 16).ptr;
    return {digits.begin(), end};
}

// The form is version-trace-parent-flags (https://www.w3.org/TR/trace-context/#traceparent-header).
// Neither id is zero, and there is no version ff.
bool is_traceparent(std::string_view text) {
    constexpr std::string_view form = "xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx";
    auto const fits = [](char c, char as) { return as == 'x' ? is_hex_digit(c) : c == as; };
    auto const is_zero = [&](std::size_t from, std::size_t count) {
        return text.substr(from, count).find_first_not_of('0') == text.npos;
    };
    return std::ranges::equal(text, form, fits) && !text.starts_with("ff") && !is_zero(3, 32) &&
           !is_zero(36, 16);
}

LogLevel level_of(int status) {
    if (status >= 500) return LogLevel::error;
    return status >= 400 ? LogLevel::warning : LogLevel::info;
}

} // namespace

void log_response(ResponseSent const& sent, LogOptions const& options) {
    auto const& [head, response, number, shared, total, unsent] = sent;
    if (options.requests == LoggedRequests::none) return;
    if (options.requests == LoggedRequests::failed && response.status < 400) return;
    auto const target = split_target(target_of(head));
    LogLine line(level_of(response.status), "request");
    line.add("id", request_id(&head, number));
    if (auto const parent = head.value("HTTP_TRACEPARENT"); is_traceparent(parent))
        line.add("traceparent", parent);
    line.add("method", head.value("REQUEST_METHOD"));
    line.add("path", target.path);
    if (options.query && !target.query.empty()) line.add("query", target.query);
    line.add("status", std::uint64_t(response.status));
    line.add("bytes", response.headers_only ? 0 : std::uint64_t{response.body.size()});
    if (unsent > 0) line.add("unsent", std::uint64_t{unsent});
    line.add_milliseconds("total_ms", milliseconds(total));
    if (shared)
        line.add("shared", std::uint64_t{1}); // the times are those of the request that was handled
    else
        add_times(line, response.trace.times);
    line.add("statements", shared ? 0 : std::uint64_t{response.trace.statements});
    line.add("rows", shared ? 0 : response.trace.rows);
    if (!response.trace.type.empty()) line.add("type", response.trace.type);
    line.add("cost", name_of(response.trace.cost));
    if (response.trace.cache != CacheUse::none)
        line.add("cache", cache_use_names[static_cast<std::size_t>(response.trace.cache)]);
    if (response.trace.handed_over != HandOver::none)
        line.add("handed-over",
                 hand_over_names[static_cast<std::size_t>(response.trace.handed_over)]);
    if (!response.trace.limit.empty()) line.add("limit", response.trace.limit);
    if (!response.trace.reason.empty()) line.add("reason", response.trace.reason);
    line.write();
}

void log_if_slow(RequestHandled const& handled, LogOptions const& options) {
    auto const& [head, request, context, trace] = handled;
    bool const wanted = options.slow.count() > 0 && trace.times.total() >= options.slow;
    if (!wanted) return;
    auto const id = request_id(head, request.number);
    LogLine line(LogLevel::warning, "slow request");
    line.add("id", id).add("method", request.method).add("path", request.path);
    if (options.query && !request.query.empty()) line.add("query", request.query);
    line.add_milliseconds("total_ms", milliseconds(trace.times.total()));
    add_times(line, trace.times);
    line.write();
    if (!context.plan) return;
    for (db::SentStatement const& sent : context.sent) {
        LogLine statement(LogLevel::warning, "statement of a slow request");
        statement.add("id", id);
        if (sent.node) statement.add("node", std::uint64_t{*sent.node});
        statement.add("rows", sent.rows);
        statement.add_milliseconds("ms", milliseconds(sent.duration));
        statement.add("sql", db::text_of(sent, *context.plan).without_values());
        statement.write();
    }
}

} // namespace fcgi
