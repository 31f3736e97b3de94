#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// The JavaScript and TypeScript of a project, for `check`. It is not run: only what visibly stands
// there is found.

namespace fcgi {

// A file of the project that is there, as db::script_tokens.
struct Script {
    std::filesystem::path path;
    std::vector<std::string> tokens;
};

// The project's folder, of `schema` that may name its src/.
std::filesystem::path project_folder(std::string const& schema);

// config/<name>.js and .ts, and those of config/env/<environment>/, which count where NODE_ENV has
// that name.
std::vector<Script> config_scripts(std::filesystem::path const& project, std::string const& name);

// src/<name>.js or .ts.
std::vector<Script> source_scripts(std::filesystem::path const& project, std::string const& name);

// The tokens of each value in `name: value` or `name = value`.
std::vector<std::vector<std::string>> values_of(Script const& script, std::string const& name);

bool is_string(std::string const& token);
std::string unquoted(std::string const& token);

// The lines NAME=value of the project's .env; empty if there is none that this account may read.
std::map<std::string, std::string> environment_file(std::filesystem::path const& project);

} // namespace fcgi
