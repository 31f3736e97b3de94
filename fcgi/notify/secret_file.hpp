#pragma once

#include "parser/base/error.hpp"

#include <string>

namespace fcgi::notify {

// Returns the one line of a file, which may be up to 4 KB long. The file must not be readable by
// everybody. The message of an error begins with the path and shows nothing of the line.
parser::Result<std::string> read_secret(std::string const& path);

} // namespace fcgi::notify
