#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// Reads the JavaScript and TypeScript of a project, for `check`. It is not run: only what is
// visibly written there is found.

namespace fcgi {

using Tokens = std::vector<std::string>; // db::script_tokens

// A file of the project that exists.
struct Script {
    std::filesystem::path path;
    Tokens tokens;
};

// Returns the project's folder; `schema` may name it or its src/.
std::filesystem::path project_folder(std::string const& schema);
// Returns its src/, which `schema` may name; also if this account may not look there.
std::filesystem::path source_folder(std::string const& schema);

// Returns config/<name>.js and .ts, and those of config/env/<environment>/, which count if NODE_ENV
// has that name.
std::vector<Script> config_scripts(std::filesystem::path const& project, std::string const& name);

// Returns src/<name>.js and .ts.
std::vector<Script> source_scripts(std::filesystem::path const& project, std::string const& name);

// Returns the scripts of config/ that may not be read, or the folder if it may not be.
std::vector<std::filesystem::path> unread_scripts(std::filesystem::path const& project);

// Returns the tokens of each value in `name: value` or `name = value`.
std::vector<Tokens> values_of(Tokens const& tokens, std::string const& name);
// Returns the same for the last name, within the values of those before it.
std::vector<Tokens> values_within(Tokens const& tokens, std::vector<std::string> const& names);

bool is_string(std::string const& token);
std::string unquoted(std::string const& token);

// Reads the lines NAME=value of the project's .env as dotenv reads them. An error says why there
// are none.
using Environment = std::map<std::string, std::string>;
parser::Result<Environment> read_environment_file(std::filesystem::path const& project);

// A value of a setting of the CMS.
struct CmsSetting {
    std::string text;
    std::string file;          // in which it is
    std::string variable = {}; // that the script takes from the environment; empty: none
    bool is_default = false;   // .env does not set the variable; the CMS's environment may

    std::string place() const; // `DATABASE_NAME of /srv/cms/.env`
};

// The values that a setting may have: of config/, and of each config/env/<environment>/, of which
// NODE_ENV selects one. Empty if the files do not say.
using CmsValues = std::vector<CmsSetting>;

// The CMS's settings of its database and its secrets, as far as the files of its project show them:
// .env, and config/*.js and .ts, which are not run. A variable that .env sets counts, though the
// CMS's environment would override it.
struct CmsSettings {
    std::filesystem::path environment; // .env of the project
    std::string unread;                // why it was not read; empty: it was
    CmsValues client;                  // mysql, mysql2, sqlite, …
    CmsValues host;
    CmsValues port;
    CmsValues socket; // its path; where it is set, host and port do not count
    CmsValues database;
    CmsValues jwt_secret;
    CmsValues api_token_salt;
};

CmsSettings read_cms_settings(std::filesystem::path const& project);

} // namespace fcgi
