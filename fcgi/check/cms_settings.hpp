#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fcgi {

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
