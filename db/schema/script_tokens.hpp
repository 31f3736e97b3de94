#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace db {

// Returns the words, strings and single characters of a file in JavaScript or TypeScript, without
// comments, white space, semicolons and a leading 'use strict'. A string is written 'in single
// quotes' whatever quotes it had. Regular expressions are not recognised as such.
std::vector<std::string> script_tokens(std::string_view text);

} // namespace db
