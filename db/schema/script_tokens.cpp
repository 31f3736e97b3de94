#include "db/schema/script_tokens.hpp"

#include <algorithm>

namespace db {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// JavaScript ends a line comment at U+2028 and U+2029 as well.
std::size_t end_of_line(std::string_view text, std::size_t from) {
    return std::min({text.find_first_of("\n\r", from), text.find("\u2028", from),
                     text.find("\u2029", from), text.size()});
}

std::size_t end_of_string(std::string_view text, std::size_t open) {
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == text[open])
            return i + 1;
    }
    return text.size();
}

} // namespace

std::vector<std::string> script_tokens(std::string_view text) {
    std::vector<std::string> found;
    std::size_t at = 0;
    while (at < text.size()) {
        char const c = text[at];
        std::size_t end = at + 1;
        if (text.substr(at, 2) == "//") {
            end = end_of_line(text, at);
        } else if (text.substr(at, 2) == "/*") {
            auto const close = text.find("*/", at + 2);
            end = close == std::string_view::npos ? text.size() : close + 2;
        } else if (c == '"' || c == '\'' || c == '`') {
            end = end_of_string(text, at);
            auto const inner = text.substr(at + 1, end - at - 1);
            found.push_back('\'' + std::string(inner.substr(0, inner.size() - !inner.empty())) +
                            '\'');
        } else if (is_word(c)) {
            while (end < text.size() && is_word(text[end]))
                ++end;
            found.emplace_back(text.substr(at, end - at));
        } else if (!is_space(c) && c != ';') {
            found.emplace_back(1, c);
        }
        at = end;
    }
    if (!found.empty() && found.front() == "'use strict'") found.erase(found.begin());
    return found;
}

} // namespace db
