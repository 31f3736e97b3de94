#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <string>

// The variables that a CMS takes from files. Nothing of them is run.

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

// Reads the project's .env. A variable has a doubt, too, if another .env.* has it with another
// value; .env.example and the like do not count.
parser::Result<Variables> read_project_variables(std::filesystem::path const& project);

// Returns a value that is set without a doubt; an error says why there is none, and shows none.
parser::Result<std::string> value_of(parser::Result<Variables> const& variables,
                                     std::string const& name);

} // namespace fcgi
