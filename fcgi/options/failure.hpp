#pragma once

#include "parser/base/error.hpp"

#include <string>

// What a command prints on standard error.

namespace fcgi {

// Prints a sentence. Control characters, which text from a file or a database may contain and which
// would move a terminal's cursor, become `?`.
void tell(std::string sentence);
// Print what is wrong and return the exit code; for an error, that of its kind.
int fail(parser::Error const& error);
int fail(std::string const& message, int code);

} // namespace fcgi
