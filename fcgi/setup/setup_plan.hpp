#pragma once

#include "db/hosts/database_url.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/setup/project_facts.hpp"
#include "fcgi/setup/reader_account.hpp"
#include "fcgi/setup/settings_file.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace fcgi {

// What `setup` is told beside the options of the program, which it writes as settings.
struct SetupOrder {
    std::vector<std::string> projects;              // one
    std::string env_file;                           // see read_project_facts()
    std::string socket = "/run/mysqld/mysqld.sock"; // of the database, unless the project names it
    std::string user = "populate-fcgi";             // of the system, who serves
    bool may_replace = false; // values that are set to another, and in spite of `check`
    bool is_trial = false;
};

// What is to be made so that a project is served.
struct SetupPlan {
    std::filesystem::path project;
    std::filesystem::path path;                // of the settings
    gid_t group = 0;                           // that may read them
    SettingsText settings;                     // as they are
    std::map<std::string, std::string> wanted; // an empty one is not to be set
    std::vector<std::string> changes;          // those of them that the file has otherwise
    ProjectFacts facts;
    std::optional<ReaderAccount> account; // where it is to be made here
};

// Found out without any change. An error says what to type.
parser::Result<SetupPlan> plan_setup(SetupOrder const& order, Options const& options);

// A setting as it may be shown: `name = value`, without a secret.
std::string shown_setting(std::string const& name, std::string const& value);

} // namespace fcgi
