#include "fcgi/options/option_sources.hpp"

#include "fcgi/options/readable.hpp"
#include "parser/base/closest_name.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <unistd.h>

namespace fcgi {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Returns the end of a text before a comment behind it; npos if the `#` would be part of the text.
std::size_t before_comment(std::string_view text) {
    auto const mark = text.find('#');
    if (mark == text.npos) return text.size();
    bool const is_comment = mark == 0 || blanks.find(text[mark - 1]) != blanks.npos;
    return is_comment ? mark : text.npos;
}

parser::Result<std::string> read_value(std::string_view text) {
    auto const problem = [](char const* what) {
        return parser::Error{parser::ErrorKind::configuration, what};
    };
    if (text.empty() || (text[0] != '"' && text[0] != '\'')) {
        auto const end = before_comment(text);
        if (end == text.npos)
            return problem("has a `#` in its value: put the value in quotes, or, if a comment "
                           "begins there, put a blank before the `#`");
        return std::string(trimmed(text.substr(0, end)));
    }
    auto const close = text.find(text[0], 1);
    if (close == text.npos) return problem("has a value without a closing quote");
    auto const rest = trimmed(text.substr(close + 1));
    if (!rest.empty() && rest[0] != '#') return problem("has text after the closing quote");
    return std::string(text.substr(1, close - 1));
}

constexpr std::string_view config_option = "config"; // a configuration file may not name another

std::string name_of(CLI::Option const& option) {
    return option.get_lnames()[0];
}

// Returns whether the variable is none of ours for sure. Kubernetes sets such in each pod beside a
// Service that is called populate-fcgi.
bool is_of_others(std::string_view variable) {
    return variable.starts_with("POPULATE_FCGI_SERVICE_") ||
           variable.starts_with("POPULATE_FCGI_PORT") || variable == "POPULATE_PROGRESS";
}

bool is_settable(CLI::Option const* option) {
    return option->get_configurable() && !option->get_lnames().empty();
}

// A setting that has ended is taken and not shown.
bool has_ended(CLI::Option const* option) {
    return option->get_group().empty();
}

std::vector<CLI::Option*> settable(CLI::App& app) {
    return app.get_options(is_settable);
}

std::vector<CLI::Option const*> options_in_use(CLI::App const& app) {
    return app.get_options(
        [](CLI::Option const* option) { return is_settable(option) && !has_ended(option); });
}

} // namespace

parser::Result<std::vector<Setting>> read_configuration(std::filesystem::path const& path) {
    auto const failure = [&](std::string const& what) {
        return parser::Error{parser::ErrorKind::configuration, path.string() + what};
    };
    errno = 0;
    std::ifstream file(path);
    file.peek(); // a folder can be opened, and only reading it fails
    if (!file && !file.eof()) {
        auto const why = errno;
        return failure(std::string(": cannot be read: ") + std::strerror(why) +
                       (why == EACCES ? "; fix: " + command_to_read_file(path) : ""));
    }
    file.clear();
    std::vector<Setting> settings;
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line) {
        std::string_view const rest = trimmed(text);
        if (rest.empty() || rest[0] == '#') continue;
        auto const at = ':' + std::to_string(line) + ": ";
        auto const equals = rest.find('=');
        std::string name(trimmed(rest.substr(0, equals)));
        if (equals == rest.npos || name.empty()) return failure(at + "expected `name = value`");
        auto value = read_value(trimmed(rest.substr(equals + 1)));
        if (!value) return failure(at + '`' + name + "` " + value.error().message);
        auto const earlier = std::ranges::find(settings, name, &Setting::name);
        if (earlier != settings.end())
            return failure(at + '`' + name + "` is already set on line " +
                           std::to_string(earlier->line));
        settings.push_back({std::move(name), *std::move(value), line});
    }
    return settings;
}

std::string environment_name(std::string const& option) {
    std::string name = "POPULATE_";
    for (char const c : option)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::optional<std::string> secret_on_command_line(std::vector<std::string> const& arguments) {
    for (std::string const& argument : arguments)
        for (std::string const option : {"jwt-secret", "api-token-salt"})
            if (argument.starts_with("--" + option))
                return option + ": anyone can read a command line; set it in the environment (" +
                       environment_name(option) + ") or in the file of --config";
    return std::nullopt;
}

std::vector<std::string> option_names(CLI::App const& app) {
    std::vector<std::string> names;
    for (CLI::Option const* option : options_in_use(app))
        names.push_back(name_of(*option));
    return names;
}

WrittenOptions written_options(CLI::App const& app) {
    WrittenOptions written;
    for (CLI::Option const* option : options_in_use(app)) {
        auto& text = written[name_of(*option)];
        char const between = option->get_delimiter() ? option->get_delimiter() : ',';
        for (std::string const& value : option->results()) {
            if (!text.empty()) text += between;
            text += value;
        }
    }
    return written;
}

std::optional<std::string> OptionSources::set(CLI::Option& option, std::string const& value,
                                              std::string const& place) {
    return option.empty() ? add(option, value, place) : std::nullopt;
}

std::optional<std::string> OptionSources::add(CLI::Option& option, std::string const& value,
                                              std::string const& place) {
    if (value.empty()) return std::nullopt;
    std::string const name = name_of(option);
    places_[name] = place;
    try {
        option.add_result(value);
        option.run_callback();
        return std::nullopt;
    } catch (CLI::ConversionError const&) {
        return place + name + ": expected " + option.get_type_name() + ", received " + value;
    } catch (CLI::ParseError const& error) {
        std::string const what = error.what();
        std::string const prefix = "--" + name + ": ";
        return place + name + ": " + (what.starts_with(prefix) ? what.substr(prefix.size()) : what);
    }
}

std::optional<std::string> OptionSources::take_environment() {
    for (CLI::Option* option : settable(app_)) {
        auto const variable = environment_name(name_of(*option));
        char const* value = std::getenv(variable.c_str());
        if (auto problem = set(*option, value ? value : "", variable + ": ")) return problem;
    }
    return std::nullopt;
}

std::optional<std::string> OptionSources::take_file(std::filesystem::path const& path) {
    auto const settings = read_configuration(path);
    if (!settings) return settings.error().message;
    auto const options = settable(app_);
    auto names = option_names(app_);
    std::erase(names, config_option);
    for (auto const& [name, value, line] : *settings) {
        auto const place = path.string() + ':' + std::to_string(line) + ": ";
        auto const option = std::ranges::find(
            options, name, [](CLI::Option const* known) { return name_of(*known); });
        if (option == options.end() || name == config_option)
            return place + "there is no option `" + name + '`' + did_you_mean(name, names);
        if (auto problem = set(**option, value, place)) return problem;
    }
    return std::nullopt;
}

std::optional<std::string> OptionSources::take_values(WrittenOptions const& values,
                                                      std::string const& place) {
    for (auto const& [name, value] : values)
        if (auto problem = add(*app_.get_option("--" + name), value, place)) return problem;
    return std::nullopt;
}

std::string OptionSources::place_of(std::string const& option) const {
    auto const found = places_.find(option);
    return found == places_.end() ? std::string() : found->second;
}

std::map<std::string, std::string> OptionSources::unknown_variables() const {
    std::vector<std::string> known{archive_key_variable};
    for (CLI::Option const* option : settable(app_))
        known.push_back(environment_name(name_of(*option)));
    std::map<std::string, std::string> unknown;
    for (char** variable = environ; *variable; ++variable) {
        std::string_view const text = *variable;
        std::string const name(text.substr(0, text.find('=')));
        if (name.starts_with("POPULATE_") && !is_of_others(name) &&
            std::ranges::find(known, name) == known.end())
            unknown.emplace(name, closest_name(name, known));
    }
    return unknown;
}

} // namespace fcgi
