#include "fcgi/check/variables.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <system_error>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\r";

std::string trimmed(std::string_view text) {
    return boost::trim_copy_if(std::string(text), boost::is_any_of(blanks));
}

bool is_name(std::string_view text) {
    auto const is_of_names = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '.' || c == '-';
    };
    return !text.empty() && std::ranges::all_of(text, is_of_names);
}

Variable in_quotes(std::string const& text) {
    char const quote = text[0];
    auto const close = text.find(quote, 1);
    if (close == text.npos) return {{}, {}, "has no closing quote on its line"};
    std::string value = text.substr(1, close - 1);
    auto const behind = std::string_view(text).substr(close + 1);
    auto const rest = trimmed(behind);
    if (!rest.empty() && (rest[0] != '#' || behind[0] == '#'))
        return {{}, {}, "has text after its closing quote"};
    if (quote == '`') return {{}, {}, "is in backticks"};
    if (quote == '"' && value.find('\\') != value.npos) return {{}, {}, "has a backslash"};
    return {std::move(value), {}, {}};
}

Variable without_quotes(std::string const& text) {
    auto const mark = text.find('#');
    if (mark == text.npos) return {text, {}, {}};
    if (mark == 0 || blanks.find(text[mark - 1]) == blanks.npos)
        return {{}, {}, "has a `#` that may begin a comment"};
    return {trimmed(std::string_view(text).substr(0, mark)), {}, {}};
}

Variable read_value(std::string const& text) {
    if (text.find("${") != text.npos) return {{}, {}, "has `${`, which may stand for a variable"};
    bool const is_quoted =
        !text.empty() && std::string_view("\"'`").find(text[0]) != std::string_view::npos;
    return is_quoted ? in_quotes(text) : without_quotes(text);
}

// The CMS does not read .env.example and the like; people do.
bool is_example(std::string const& file) {
    return std::ranges::any_of(
        std::initializer_list<char const*>{"example", "sample", "template", "dist", "default"},
        [&](char const* word) { return file.find(word) != file.npos; });
}

// Adds doubts where `other`, a file that may count or not, has another value.
void compare(Variables& variables, Variables const& other) {
    for (auto const& [name, theirs] : other) {
        auto& ours = variables[name];
        bool const is_same =
            theirs.doubt.empty() && !ours.place.empty() && ours.value == theirs.value;
        if (!is_same && ours.doubt.empty())
            ours = {{}, theirs.place, "has another value here than in .env"};
    }
}

} // namespace

parser::Result<Variables> read_variables(fs::path const& file) {
    auto const failure = [&](std::error_code const& why) {
        return parser::Error{why == std::errc::permission_denied ? parser::ErrorKind::not_granted
                                                                 : parser::ErrorKind::configuration,
                             file.string() + ": cannot be read: " + why.message()};
    };
    std::error_code error;
    // Reading a pipe would wait for its writer, and a device has no end.
    bool const is_file = fs::is_regular_file(file, error);
    if (error) return failure(error);
    if (!is_file)
        return parser::Error{parser::ErrorKind::configuration,
                             file.string() + ": cannot be read: it is not a regular file"};
    std::ifstream stream(file);
    if (!stream) return failure({errno, std::generic_category()});
    Variables variables;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        auto text = trimmed(line);
        constexpr std::string_view shell_word = "export ";
        if (text.starts_with(shell_word)) text = trimmed(text.substr(shell_word.size()));
        auto const equals = text.find('=');
        if (equals == text.npos || text[0] == '#') continue;
        auto const name = trimmed(std::string_view(text).substr(0, equals));
        if (!is_name(name)) continue;
        auto& variable = variables[name];
        variable = read_value(trimmed(std::string_view(text).substr(equals + 1)));
        variable.place = file.string() + ':' + std::to_string(number);
    }
    return variables;
}

parser::Result<Variables> read_project_variables(fs::path const& project) {
    auto variables = read_variables(project / ".env");
    if (!variables) return variables;
    std::error_code error;
    for (auto const& entry : fs::directory_iterator(project, error)) {
        auto const name = entry.path().filename().string();
        if (!name.starts_with(".env.") || is_example(name) || !entry.is_regular_file(error))
            continue;
        auto const other = read_variables(entry.path());
        if (!other) return other.error();
        compare(*variables, *other);
    }
    return variables;
}

parser::Result<std::string> value_of(parser::Result<Variables> const& variables,
                                     std::string const& name) {
    auto const unknown = [](std::string message) {
        return parser::Error{parser::ErrorKind::configuration, std::move(message)};
    };
    if (!variables) return variables.error();
    auto const found = variables->find(name);
    if (found == variables->end()) return unknown(name + " is in no file");
    auto const& [value, place, doubt] = found->second;
    if (!doubt.empty()) return unknown(place + ": " + name + ' ' + doubt);
    return value;
}

} // namespace fcgi
