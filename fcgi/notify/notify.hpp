#pragma once

#include "fcgi/options/command.hpp"

namespace fcgi {

// A command that only reads: the table of all is in fcgi/main.cpp.
Run declare_notify(CommandLine command);

} // namespace fcgi
