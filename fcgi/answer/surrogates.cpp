#include "fcgi/answer/surrogates.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace fcgi {

namespace {

bool is_surrogate(std::uint32_t code) {
    return code >= 0xD800 && code <= 0xDFFF;
}
bool is_leading(std::uint32_t code) {
    return code >= 0xD800 && code <= 0xDBFF;
}

// Appends the UTF-8 of a code that takes three or four bytes.
void append_code(std::string& out, std::uint32_t code) {
    auto const byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code > 0xFFFF) {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
    } else {
        byte(0xE0 | code >> 12);
    }
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
}

// Reads an escape, such as \ud800, at the beginning of `text`.
std::optional<std::uint32_t> escaped_surrogate(std::string_view text) {
    std::uint32_t code = 0;
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    char const* const end = text.data() + 6;
    if (std::from_chars(text.data() + 2, end, code, 16).ptr != end) return std::nullopt;
    return is_surrogate(code) ? std::optional(code) : std::nullopt;
}

// Reads the three bytes of a half at the beginning of `text`.
std::optional<std::uint32_t> written_surrogate(std::string_view text) {
    auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (text.size() < 3 || byte(0) != 0xED || byte(1) < 0xA0) return std::nullopt;
    return 0xD000u | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
}

// Takes one half off the beginning of `text`, or a pair, which is one character. `half` reads a
// half of `size` bytes.
std::optional<std::uint32_t> take(std::string_view& text, auto half, std::size_t size) {
    auto const first = half(text);
    if (!first) return std::nullopt;
    text.remove_prefix(size);
    auto const second = is_leading(*first) ? half(text) : std::nullopt;
    if (!second || is_leading(*second)) return first;
    text.remove_prefix(size);
    return 0x10000 + ((*first & 0x3FF) << 10 | (*second & 0x3FF));
}

} // namespace

std::string unescape_surrogates(std::string_view json) {
    std::string out;
    while (!json.empty()) {
        if (auto const code = take(json, escaped_surrogate, 6)) {
            append_code(out, *code);
        } else {
            // A backslash goes with the character that it escapes.
            std::size_t const size = json[0] == '\\' ? 2 : 1;
            out += json.substr(0, size);
            json.remove_prefix(std::min(size, json.size()));
        }
    }
    return out;
}

void escape_surrogates(std::string& out, std::size_t begin) {
    std::string const text = out.substr(begin);
    std::string_view rest = text;
    out.resize(begin);
    while (!rest.empty()) {
        auto const code = take(rest, written_surrogate, 3);
        if (!code) {
            out += rest[0];
            rest.remove_prefix(1);
        } else if (is_surrogate(*code)) {
            char digits[4];
            std::to_chars(digits, digits + 4, *code, 16);
            out.append("\\u").append(digits, 4);
        } else {
            append_code(out, *code);
        }
    }
}

} // namespace fcgi
