#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <string>

namespace fcgi {

// Returns the secret in a file: all of it, without the last line break. Refuses a file that
// everybody may read, and one that can be guessed. The message begins with the path.
parser::Result<std::string> read_secret_file(std::filesystem::path const& path);

// Returns the command for root that makes such a file, which this account may read.
std::string command_to_make_secret_file(std::filesystem::path const& path);

} // namespace fcgi
