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

// What config/*.js of a project and its .env visibly say, which the CMS uses unless its process has
// other variables. Nothing of it is run. Each fact is a text, empty if nothing is said, or an error
// that says why it is known only when the files are run, and shows no value.
struct ProjectFacts {
    using Fact = parser::Result<std::string>;

    Fact client; // of the database: mysql, mysql2, …
    Fact host;
    Fact port;
    Fact socket;
    Fact database;
    Fact user;
    Fact jwt_secret;
    Fact api_token_salt;
    Fact cms_port; // where the CMS listens
};

// `env_file` replaces .env. Without it, a value that .env and another .env.* have differently is an
// error of the fact; .env.example and the like do not count.
ProjectFacts read_project_facts(std::filesystem::path const& project,
                                std::filesystem::path const& env_file);

} // namespace fcgi
