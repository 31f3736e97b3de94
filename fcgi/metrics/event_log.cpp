#include "fcgi/metrics/event_log.hpp"

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/error_status.hpp"
#include "fcgi/metrics/access_log.hpp"
#include "fcgi/process/log.hpp"

#include <cstddef>
#include <exception>
#include <new>
#include <string>

namespace fcgi {

namespace {

struct Line {
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
    std::visit(Line{options}, event);
} catch (std::exception const& error) { // no memory for the line
    log_line(LogLevel::error, "an event could not be logged: ", error.what());
}

} // namespace fcgi
