#pragma once

#include "parser/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fcgi {

// A line of a configuration file:
//
//     line    = [name "=" value] [comment]
//     value   = '"' … '"' | "'" … "'" | text without quotes, without blanks at its ends
//     comment = "#" …, at the start of the line or after a blank
//
// A `#` in text without quotes is an error: as a comment it would cut off a secret silently.
struct Setting {
    std::string name;
    std::string value;
    std::size_t line; // from 1
};

// Returns the settings of a file; setting a name twice is an error. The message of an error begins
// with the path, and the line if it is about one. It shows no value, which may be a secret.
parser::Result<std::vector<Setting>> read_configuration(std::filesystem::path const& path);

} // namespace fcgi
