#include "parser/base/error.hpp"

#include <stdexcept>

namespace parser {

namespace {

// This is long enough to recognise a value, and too short to flood a log or a page.
constexpr std::size_t shown_bytes = 80;

std::string quoted(std::string_view text) {
    if (text.size() <= shown_bytes) return '"' + std::string(text) + '"';
    std::size_t end = shown_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return '"' + std::string(text.substr(0, end)) + "…\"";
}

std::shared_ptr<Error::Subject const> about(Error::Subject subject) {
    return std::make_shared<Error::Subject const>(std::move(subject));
}

Error longer_than(std::string message, std::string_view limit, std::chrono::milliseconds value,
                  std::string cause) {
    message.append(" longer than ").append(limit);
    message.append(" (").append(std::to_string(value.count())).append(" ms)");
    Error error{ErrorKind::timed_out, std::move(message), std::move(cause)};
    error.subject = about({.limit = std::string(limit)});
    return error;
}

} // namespace

Error invalid_parameter(std::string_view name, std::string_view where) {
    Error error{ErrorKind::unknown_name, "Invalid parameter " + std::string(name)};
    error.subject = about({.place = std::string(where), .received = std::string(name)});
    return error;
}

Error invalid_value(std::string_view where, std::string_view expected) {
    Error error{ErrorKind::invalid, std::string(where).append(": expected ").append(expected)};
    error.subject = about({.place = std::string(where)});
    return error;
}

Error invalid_value(std::string_view where, std::string_view expected, std::string_view received) {
    Error error = invalid_value(where, expected);
    error.message.append(", received ").append(quoted(received));
    error.subject = about({.place = std::string(where), .received = std::string(received)});
    return error;
}

Error invalid_in(std::string_view param, std::string message) {
    Error error{ErrorKind::invalid, std::move(message)};
    Error::Subject subject{.place = std::string(param)};
    subject.details.append("{\"source\":\"query\",\"param\":\"").append(param).append("\"}");
    error.subject = about(std::move(subject));
    return error;
}

Error over_limit(std::string_view limit, std::string_view value) {
    std::string message = "The request is over ";
    message.append(limit).append(" (").append(value).append(")");
    Error error{ErrorKind::over_limit, message};
    error.subject = about({.limit = std::string(limit)});
    return error;
}

Error unavailable(std::string cause) {
    return {ErrorKind::unavailable, "Service Unavailable", std::move(cause)};
}

Error unavailable(std::string_view limit, std::chrono::milliseconds value, std::string cause) {
    cause.append(" within ").append(limit);
    auto error = unavailable(cause + " (" + std::to_string(value.count()) + " ms)");
    error.subject = about({.limit = std::string(limit)});
    return error;
}

Error unreachable(std::string cause) {
    return {ErrorKind::unreachable, "Bad Gateway", std::move(cause)};
}

Error connection_lost(std::string cause) {
    auto error = unreachable(std::move(cause));
    error.kind = ErrorKind::connection_lost;
    return error;
}

Error conflict(std::string cause) {
    auto error = unavailable(std::move(cause));
    error.kind = ErrorKind::conflict;
    return error;
}

Error timed_out(std::string_view limit, std::chrono::milliseconds value, std::string cause) {
    return longer_than("The request took", limit, value, std::move(cause));
}

Error too_expensive(std::string_view limit, std::chrono::milliseconds value, std::string cause) {
    return longer_than("The request would take", limit, value, std::move(cause));
}

void throw_exception_from_error(Error const& error, boost::source_location const&) {
    throw std::logic_error("unchecked error: " + error.message);
}

} // namespace parser
