#include "fcgi/options/command.hpp"

#include <CLI/CLI.hpp>

namespace fcgi {

void CommandLine::words(char const* name, std::vector<std::string>& values, char const* help) {
    app_.add_option(name, values, help)->required();
}

void CommandLine::option(char const* name, std::string& value, char const* help) {
    app_.add_option(name, value, help);
}

void CommandLine::required(char const* name, std::string& value, char const* help,
                           std::vector<std::string> const& choices) {
    auto* const option = app_.add_option(name, value, help)->required();
    if (!choices.empty()) option->check(CLI::IsMember(choices));
}

void CommandLine::list(char const* name, std::vector<std::string>& values, char const* help) {
    app_.add_option(name, values, help)->delimiter(',');
}

void CommandLine::flag(char const* name, bool& value, char const* help) {
    app_.add_flag(name, value, help);
}

CommandLine CommandLine::then(char const* name, char const* help, std::string& chosen) {
    auto* const word = app_.require_subcommand(1)->add_subcommand(name, help)->fallthrough();
    word->parse_complete_callback([&chosen, name] { chosen = name; });
    return CommandLine(*word);
}

} // namespace fcgi
