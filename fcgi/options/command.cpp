#include "fcgi/options/command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>

namespace fcgi {

namespace {

constexpr auto examples = R"(
Examples:
  populate-fcgi check --schema /srv/cms
  populate-fcgi explain '/api/articles?populate=*'
  populate-fcgi serve --listen tcp:127.0.0.1:9000

`populate-fcgi COMMAND --help` lists the arguments of a command. `populate-fcgi --help-all` lists the options of
all commands; you can also set each of them in populate-fcgi.conf.
)";

constexpr auto units = R"(
A TIME is 250ms, 5s, 2m or 1h; a number alone is seconds. A SIZE is 16K, 64M or 1G; a number
alone is bytes.
)";

struct Help final : CLI::Formatter {
    std::string make_help(CLI::App const* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        bool const is_all = mode == CLI::AppFormatMode::All;
        while (is_all && app->get_parent()) {
            app = app->get_parent();
            name = app->get_name();
        }
        if (app->get_parent()) return Formatter::make_help(app, name, mode);
        auto const begin = make_description(app) + make_usage(app, name);
        if (is_all) return begin + make_groups(app, CLI::AppFormatMode::Normal) + units;
        return begin + make_subcommands(app, mode) + examples;
    }
};

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

void add_commands(CLI::App& app, std::span<Command const> commands, Command const*& chosen,
                  Run& run) {
    app.formatter(std::make_shared<Help>());
    app.footer("`populate-fcgi --help-all` lists the options of all commands.");
    for (Command const& command : commands) {
        auto* const part =
            app.add_subcommand(std::string(command.name), std::string(command.help))->fallthrough();
        auto const its_run = command.declare(CommandLine(*part));
        auto const choose = [&command, &chosen, &run, its_run] {
            chosen = &command;
            run = its_run;
        };
        if (!chosen) choose();
        part->callback(choose);
    }
    app.require_subcommand(0, 1);
    // Before the commands are added, each of them would have it, too.
    app.set_help_all_flag("--help-all", "Print the options of all commands and exit");
}

void report_sentence(std::string sentence) {
    std::ranges::replace_if(
        sentence,
        [](char c) { return c != '\n' && std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
    std::cerr << sentence << '\n';
}

int fail(std::string const& message, int code) {
    report_sentence(message);
    return code;
}

int fail(parser::Error const& error) {
    // The cause is for the operator. The message is for clients, who do not get the cause.
    report_sentence(error.cause.empty() ? error.message : error.cause);
    return exit_code(error.kind);
}

} // namespace fcgi
