#pragma once

#include <span>
#include <string>
#include <string_view>

namespace parser {

// A key or value of a query string, decoded in its place: `+` is a space, then %XX are bytes of
// UTF-8, as in decodeURIComponent. Where any escape is malformed (no two hex digits, or not the
// UTF-8 of one character) qs 6.15 leaves all of them as they are, so only the pluses are decoded.
// The result lies in `token`.
std::string_view decode_component(std::span<char> token);

// The same without the pluses: a part of a path.
std::string_view decode_escapes(std::span<char> token);

// Puts U+FFFD in the place of each sequence of bytes that is not UTF-8 (its longest start that
// could have become a character, else one byte), as browsers and Node do.
void replace_invalid_utf8(std::string& text);

} // namespace parser
