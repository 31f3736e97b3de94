#include "fcgi/metrics/event_log.hpp"

#include "fcgi/handler/handle_request.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/representation.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/process/systemd.hpp"
#include "fcgi/server/request_head.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <ctime>
#include <exception>
#include <new>
#include <string>
#include <variant>

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

// Log lines of requests. They never contain credentials or values in SQL statements, and query
// strings only with `log-query`.

// Logs a request that was answered, as `log-requests` and `log-query` say.
void log_response(ResponseSent const& sent, LogOptions const& options) {
    auto const& [head, response, number, coalesced, total, unsent] = sent;
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
    if (coalesced)
        line.add("shared", std::uint64_t{1}); // the times are those of the request that was handled
    else
        add_times(line, response.trace.times);
    line.add("statements", coalesced ? 0 : std::uint64_t{response.trace.statements});
    line.add("rows", coalesced ? 0 : response.trace.rows);
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

// Logs a request that took at least `log-slow`: the stages, then each statement with `?` for
// values.
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

struct LineWriter {
    LogOptions const& options;

    void operator()(Notice const& notice) const {
        EventRow const& row = notice.id.row();
        if (row.text.empty()) return;
        try {
            auto const text = text_of(notice);
            row.is_limited ? log_repeatable(row.level, text) : log_line(row.level, text);
        } catch (std::bad_alloc const&) {
            log_line(row.level, row.text.substr(0, row.text.find_first_of("%#")), notice.words[0]);
        }
    }
    void operator()(RequestHandled const& handled) const {
        auto const& error = handled.context.error;
        auto const status = error ? error_status(error->kind).status : 200;
        if (status >= 500 && !error->cause.empty())
            log_repeatable(status == 500 ? LogLevel::error : LogLevel::warning, error->cause);
        log_if_slow(handled, options);
    }
    void operator()(ResponseSent const& sent) const { log_response(sent, options); }
};

std::string utc(std::chrono::system_clock::time_point time) {
    std::time_t const seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 40> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

} // namespace

std::string text_of(Notice const& notice) {
    std::string text;
    auto word = notice.words.begin();
    std::size_t bracket = 0;
    for (char const c : notice.id.row().text)
        switch (c) {
        case '%':
            text += *word++;
            break;
        case '#':
            text += std::to_string(notice.number);
            break;
        case '[':
            bracket = text.size();
            break;
        case ']':
            if (word[-1].empty()) text.resize(bracket);
            break;
        default:
            text += c;
        }
    return text;
}

EventLog::EventLog(LogOptions const& options) : current_(std::make_shared<Current>()) {
    use(options);
}

void EventLog::use(LogOptions const& options) const {
    set_log(options.format, options.level);
    current_->requests = options.requests;
    current_->query = options.query;
    current_->slow = options.slow;
}

void EventLog::operator()(Event const& event) const try {
    LogOptions const options{
        .requests = current_->requests, .query = current_->query, .slow = current_->slow};
    std::visit(LineWriter{options}, event);
} catch (std::exception const& error) { // no memory for the line
    log_line(LogLevel::error, "an event could not be logged: ", error.what());
}

void ServiceStatus::operator()(Event const& event) {
    auto const* const notice = std::get_if<Notice>(&event);
    if (!notice) return;
    auto const [id, words, number] = *notice;
    bool const is_away = id == "database-away";
    if (id != "serving" && id != "stopping" && id != "database-back" && !is_away) return;
    std::lock_guard const lock(mutex_);
    if (id == "serving") address_ = words[0];
    if (id == "stopping") draining_ = number;
    if (id == "database-back") away_since_.reset();
    if (is_away) away_since_ = std::chrono::system_clock::now();
    report();
}

void ServiceStatus::report() const {
    std::string status = "serving at " + address_;
    if (away_since_) status = "no connection to the database since " + utc(*away_since_);
    if (draining_) status = "draining, requests in flight: " + std::to_string(*draining_);
    if (!address_.empty()) notify_systemd("STATUS=" + status);
}

} // namespace fcgi
