#pragma once

#include "fcgi/options/command.hpp"

// The commands that only read, and `serve`, each in a file of its own. The others are in
// fcgi/commands and fcgi/check; the table of all is in fcgi/main.cpp.

namespace fcgi {

Run declare_serve(CommandLine command);
Run declare_check(CommandLine command);
Run declare_openapi(CommandLine command);
Run declare_parse(CommandLine command);
Run declare_get(CommandLine command);
Run declare_explain(CommandLine command);
Run declare_compare(CommandLine command);
Run declare_indexes(CommandLine command);

} // namespace fcgi
