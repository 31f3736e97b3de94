#pragma once

#include "parser/base/error.hpp"

#include <string>

// What a command says on standard error.

namespace fcgi {

// A sentence. Of what it quotes from a file or a database, bytes that would move a terminal's
// cursor become `?`.
void tell(std::string sentence);
// What is wrong; returns the exit code, of an error that of its kind.
int fail(parser::Error const& error);
int fail(std::string const& message, int code);

} // namespace fcgi
