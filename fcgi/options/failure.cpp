#include "fcgi/options/failure.hpp"

#include "fcgi/options/options.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>

namespace fcgi {

namespace {

ExitCode exit_code(parser::ErrorKind kind) {
    using enum parser::ErrorKind;
    switch (kind) {
    case unavailable:
    case unreachable:
    case connection_lost:
    case conflict:
    case timed_out:
        return exit_database;
    case schema_changed:
    case unsupported:
    case not_granted:
    case configuration:
        return exit_configuration;
    case invalid:
    case unknown_name:
    case invalid_pagination:
    case over_limit:
    case malformed:
    case unauthenticated:
    case not_permitted:
    case not_found:
    case method_not_allowed:
    case not_implemented:
    case internal:
        break;
    }
    return exit_failed;
}

} // namespace

void tell(std::string sentence) {
    std::ranges::replace_if(
        sentence,
        [](char c) { return c != '\n' && std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
    std::cerr << sentence << '\n';
}

int fail(std::string const& message, int code) {
    tell(message);
    return code;
}

int fail(parser::Error const& error) {
    // The cause is for the operator. The message is for clients, who do not get the cause.
    tell(error.cause.empty() ? error.message : error.cause);
    return exit_code(error.kind);
}

} // namespace fcgi
