#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace fcgi {

// A line NAME=value of a file such as .env.
struct Variable {
    std::string value;
    std::string place; // `/srv/cms/.env:7`
    std::string doubt; // why readers of such files may disagree; empty: they agree
};

// The variables by name; of several with one name the last counts. Strapi 4 reads such files with
// dotenv 14, Strapi 5 with dotenv 16, containers and shells with rules of their own. A value is
// what these agree on; everything else has a doubt. The error shows no value.
using Variables = std::map<std::string, Variable, std::less<>>;
parser::Result<Variables> read_variables(std::filesystem::path const& file);

} // namespace fcgi
