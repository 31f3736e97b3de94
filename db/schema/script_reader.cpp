#include "db/schema/script_reader.hpp"

#include "db/schema/script_tokens.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace db {

namespace json = boost::json;

namespace {

constexpr std::size_t deepest_literal = 64;

bool is_string_token(std::string_view token) {
    return token.size() >= 2 && token.front() == '\'';
}

// What a backslash and `${` mean depends on the quotes, which tokens no longer have.
std::optional<std::string> text_in(std::string_view token) {
    bool const is_plain =
        is_string_token(token) && token.find('\\') == token.npos && token.find("${") == token.npos;
    if (!is_plain) return std::nullopt;
    return std::string(token.substr(1, token.size() - 2));
}

std::optional<json::value> scalar_in(std::string_view token) {
    if (token == "true") return true;
    if (token == "false") return false;
    if (token == "null") return nullptr;
    if (auto const text = text_in(token)) return json::string(*text);
    std::int32_t number = 0;
    auto const* const end = token.data() + token.size();
    bool const is_octal = token.size() > 1 && token.front() == '0';
    if (is_octal || std::from_chars(token.data(), end, number).ptr != end) return std::nullopt;
    return number;
}

bool is_sign_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// No name may be a number, which JavaScript would put first, or __proto__, which is no member.
std::optional<std::string> name_in(std::string_view token) {
    bool const is_word = !token.empty() && is_sign_of_word(token.front());
    auto name = is_word ? std::optional<std::string>(token) : text_in(token);
    bool const is_number =
        name && !name->empty() && std::isdigit(static_cast<unsigned char>((*name)[0]));
    if (is_number || (name && *name == "__proto__")) return std::nullopt;
    return name;
}

} // namespace

ScriptReader::ScriptReader(std::string_view source) : tokens_(script_tokens(source)) {
}

std::string_view ScriptReader::next() const {
    return is_at_end() ? std::string_view() : tokens_[at_];
}

std::string_view ScriptReader::take_next() {
    auto const token = next();
    if (!is_at_end()) ++at_;
    return token;
}

bool ScriptReader::take(std::string_view text) {
    auto const expected = script_tokens(text);
    auto const begin = tokens_.begin() + static_cast<std::ptrdiff_t>(at_);
    bool const is_there = expected.size() <= tokens_.size() - at_ &&
                          std::equal(expected.begin(), expected.end(), begin);
    if (is_there) at_ += expected.size();
    return is_there;
}

bool ScriptReader::take_string() {
    bool const is_there = is_string_token(next());
    if (is_there) ++at_;
    return is_there;
}

std::optional<json::value> ScriptReader::take_value(std::size_t depth) {
    if (depth == deepest_literal) return std::nullopt;
    if (take("{")) return take_object(depth + 1);
    if (take("[")) return take_list(depth + 1);
    auto value = scalar_in(next());
    if (value) ++at_;
    return value;
}

std::optional<json::value> ScriptReader::take_list(std::size_t depth) {
    json::array list;
    while (!take("]")) {
        auto value = take_value(depth);
        if (!value) return std::nullopt;
        list.push_back(*std::move(value));
        if (!take(",") && next() != "]") return std::nullopt;
    }
    return list;
}

std::optional<json::value> ScriptReader::take_object(std::size_t depth) {
    json::object object;
    while (!take("}")) {
        auto const name = name_in(next());
        if (!name || object.contains(*name)) return std::nullopt;
        ++at_;
        if (!take(":")) return std::nullopt;
        auto value = take_value(depth);
        if (!value) return std::nullopt;
        object.emplace(*name, *std::move(value));
        if (!take(",") && next() != "}") return std::nullopt;
    }
    return object;
}

} // namespace db
