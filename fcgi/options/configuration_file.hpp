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
//     value   = '"' … '"' | "'" … "'" | text without quotes, of which blanks at the ends are no
//     part comment = "#" …, at the start of the line or after a blank
//
// A `#` in a text without quotes is an error: as a comment it would cut a secret in silence.
struct Setting {
    std::string name;
    std::string value;
    std::size_t line; // from 1
};

// The settings of a file, none twice. An error's message begins with the path, and the line if it
// is about one; it shows no value, which may be a secret.
parser::Result<std::vector<Setting>> read_configuration(std::filesystem::path const& path);

} // namespace fcgi
