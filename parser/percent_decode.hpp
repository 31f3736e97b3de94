#pragma once

#include <span>
#include <string>
#include <string_view>

namespace parser {

// Decodes a key or value of a query string in place: `+` becomes a space, and %XX become bytes of
// UTF-8, as in decodeURIComponent. If any escape is malformed (no two hex digits, or not the UTF-8
// of one character), qs 6.15 leaves all of them as they are, so only the pluses are decoded.
// Returns a view into `token`.
std::string_view decode_component(std::span<char> token);

// Decodes a part of a path in the same way, but leaves pluses as they are.
std::string_view decode_escapes(std::span<char> token);

// Replaces each sequence of bytes that is not UTF-8 (the longest one that begins a character, else
// one byte) with U+FFFD, as browsers and Node do.
void replace_invalid_utf8(std::string& text);

} // namespace parser
