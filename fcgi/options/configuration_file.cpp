#include "fcgi/options/configuration_file.hpp"

#include "fcgi/options/readable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

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

struct Value {
    std::string text;
    std::string problem; // empty: none
};

Value read_value(std::string_view text) {
    if (text.empty() || (text[0] != '"' && text[0] != '\'')) {
        auto const end = before_comment(text);
        if (end == text.npos)
            return {{},
                    "has a `#` in its value: put the value in quotes, or, if a comment begins "
                    "there, put a blank before the `#`"};
        return {std::string(trimmed(text.substr(0, end))), {}};
    }
    auto const close = text.find(text[0], 1);
    if (close == text.npos) return {{}, "has a value without a closing quote"};
    auto const rest = trimmed(text.substr(close + 1));
    if (!rest.empty() && rest[0] != '#') return {{}, "has text after the closing quote"};
    return {std::string(text.substr(1, close - 1)), {}};
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
        if (!value.problem.empty()) return failure(at + '`' + name + "` " + value.problem);
        auto const earlier = std::ranges::find(settings, name, &Setting::name);
        if (earlier != settings.end())
            return failure(at + '`' + name + "` is already set on line " +
                           std::to_string(earlier->line));
        settings.push_back({std::move(name), std::move(value.text), line});
    }
    return settings;
}

} // namespace fcgi
