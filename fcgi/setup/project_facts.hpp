#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <string>

namespace fcgi {

// What visibly stands in config/*.js of a project and in its .env, which the CMS goes by unless its
// process has other variables. Nothing of it is run. Each is a text, empty where nothing is said,
// or an error that says why only those who run it know, and shows no value.
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

// `env_file` counts in the place of .env. Without one, what .env and another .env.* tell apart is
// an error of the fact; .env.example and the like are none.
ProjectFacts read_project_facts(std::filesystem::path const& project,
                                std::filesystem::path const& env_file);

} // namespace fcgi
