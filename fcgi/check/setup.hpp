#pragma once

#include "fcgi/options/command.hpp"

namespace fcgi {

// Makes the account and the settings that a project of the CMS asks for, as root.
Run declare_setup(CommandLine command);

} // namespace fcgi
