#include "fcgi/http/hand_over.hpp"

#include "fcgi/http/http.hpp"

#include <algorithm>

namespace fcgi {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

std::string status_line(int status) {
    return "Status: " + std::to_string(status) + ' ' + std::string(reason_phrase(status)) + "\r\n";
}

} // namespace

std::string hand_over_signal(std::string_view form, int status) {
    if (form.empty() || std::ranges::any_of(form, is_control)) return {};
    if (form.size() == 3 && std::ranges::all_of(form, is_digit))
        return status_line(std::stoi(std::string(form)));
    bool const is_uri = form.front() == '/' || form.front() == '@';
    if (!is_uri && !is_token(form)) return {};
    return status_line(status)
        .append(is_uri ? "X-Accel-Redirect" : form)
        .append(": ")
        .append(is_uri ? form : "yes")
        .append("\r\n");
}

} // namespace fcgi
