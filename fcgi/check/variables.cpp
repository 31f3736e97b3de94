#include "fcgi/check/variables.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace fcgi {

namespace {

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

} // namespace

parser::Result<Variables> read_variables(std::filesystem::path const& file) {
    auto const failure = [&](std::string const& why) {
        return parser::Error{parser::ErrorKind::configuration,
                             file.string() + ": cannot be read: " + why +
                                 "; you can name another file with --env-file"};
    };
    std::error_code error;
    // Reading a pipe would wait for its writer, and a device has no end.
    bool const is_file = std::filesystem::is_regular_file(file, error);
    if (error) return failure(error.message());
    if (!is_file) return failure("it is not a regular file");
    std::ifstream stream(file);
    if (!stream) return failure(std::strerror(errno));
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

} // namespace fcgi
