#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// The JavaScript and TypeScript of a project, for `check`. It is not run: only what visibly stands
// there is found.

namespace fcgi {

using Tokens = std::vector<std::string>; // db::script_tokens

// A file of the project that is there.
struct Script {
    std::filesystem::path path;
    Tokens tokens;
};

// The project's folder, of `schema` that may name its src/.
std::filesystem::path project_folder(std::string const& schema);
// Its src/, which `schema` may name; also where this account may not look.
std::filesystem::path source_folder(std::string const& schema);

// config/<name>.js and .ts, and those of config/env/<environment>/, which count where NODE_ENV has
// that name.
std::vector<Script> config_scripts(std::filesystem::path const& project, std::string const& name);

// src/<name>.js or .ts.
std::vector<Script> source_scripts(std::filesystem::path const& project, std::string const& name);

// The scripts of config/ that are there and may not be read, or the folder itself.
std::vector<std::filesystem::path> unread_scripts(std::filesystem::path const& project);

// The tokens of each value in `name: value` or `name = value`.
std::vector<Tokens> values_of(Tokens const& tokens, std::string const& name);
// The same of the last name, within the values of those before it.
std::vector<Tokens> values_within(Tokens const& tokens, std::vector<std::string> const& names);

bool is_string(std::string const& token);
std::string unquoted(std::string const& token);

// The lines NAME=value of the project's .env, as dotenv reads them. An error says why there are
// none.
using Environment = std::map<std::string, std::string>;
parser::Result<Environment> read_environment_file(std::filesystem::path const& project);
// The same; empty where there is an error.
Environment environment_file(std::filesystem::path const& project);

} // namespace fcgi
