#pragma once

#include "fcgi/options/command.hpp"

namespace fcgi {

Run declare_indexes(CommandLine command);

} // namespace fcgi
