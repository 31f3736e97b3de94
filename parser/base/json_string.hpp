#pragma once

#include <string>
#include <string_view>

namespace parser {

// A JSON string, escaped as JSON.stringify does: the quote, the backslash and control characters
// (\b \t \n \f \r, else \u00xx) and nothing more. `utf8` is taken as it is.
void append_json_string(std::string& out, std::string_view utf8);

// The same without the quotes around it.
void append_json_escaped(std::string& out, std::string_view utf8);

// The first byte of [at, end) that JSON.stringify escapes, or `end`.
char const* find_json_escape(char const* at, char const* end);

} // namespace parser
