#pragma once

#include <string>
#include <string_view>

namespace parser {

// Appends a JSON string, escaped as JSON.stringify does: the quote, the backslash and control
// characters (\b \t \n \f \r, else \u00xx) and nothing more. `utf8` is not checked.
void append_json_string(std::string& out, std::string_view utf8);

// Appends the same without the quotes around it.
void append_json_escaped(std::string& out, std::string_view utf8);

// Returns the first byte of [at, end) that JSON.stringify escapes, or `end`.
char const* find_json_escape(char const* at, char const* end);

} // namespace parser
