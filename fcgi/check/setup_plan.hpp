#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/database_url.hpp"
#include "db/mysql/sql_text.hpp"
#include "fcgi/check/settings_file.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace fcgi {

// An account that may only read one database of a server on this machine. The server identifies it
// by the system user of the same name, so it has no password.
class ReaderAccount {
  public:
    // Finds out what the account lacks. `server` has the administrator's login and the database.
    static parser::Result<ReaderAccount> find(db::DatabaseUrl const& server,
                                              std::string const& user);

    // Returns the statements that create what is missing, in order; none if nothing is missing.
    std::vector<db::SqlText> statements() const;
    parser::Result<void> make();
    // Undoes what make() has done so far. The error names the statements that could not be run.
    parser::Result<void> take_back();

    unsigned port() const { return port_; }       // 0: the server has none
    bool logs_rows() const { return logs_rows_; } // as the cache requires
    bool is_mariadb() const { return connection_->is_mariadb(); }

  private:
    struct Step {
        db::SqlText make, undo;
    };
    ReaderAccount(std::unique_ptr<db::Connection> connection)
        : connection_(std::move(connection)) {}

    std::unique_ptr<db::Connection> connection_;
    std::vector<Step> steps_;
    std::size_t made_ = 0; // how many of the steps are done
    unsigned port_ = 0;
    bool logs_rows_ = false;
};

// The arguments of `setup` beside the options of the program, which it writes as settings.
struct SetupOrder {
    std::vector<std::string> projects; // exactly one
    std::string env_file; // in place of the project's .env; empty: see read_project_variables()
    std::string socket = "/run/mysqld/mysqld.sock"; // of the database, unless the CMS names one
    std::string user = "populate-fcgi";             // the system's user that serves
    bool may_replace = false; // replace other values, and go on in spite of `check`
    bool is_trial = false;
};

// What must be made so that a project is served.
struct SetupPlan {
    std::filesystem::path project;
    std::filesystem::path path;                // of the settings file
    gid_t group = 0;                           // may read the settings
    SettingsText settings;                     // as they are now
    std::map<std::string, std::string> wanted; // an empty value must not be set
    std::vector<std::string> changes;          // the names of those that differ from the file
    std::string cms_user; // with which the CMS logs in to the database; empty: not known
    std::string cms_port; // at which it listens; empty: not known
    std::optional<ReaderAccount> account; // absent if it is not made here
};

// Plans without changing anything. An error says all that is missing, and what to type.
parser::Result<SetupPlan> plan_setup(SetupOrder const& order, Options const& options);

// Returns a setting as it may be shown: `name = value`, without a secret.
std::string shown_setting(std::string const& name, std::string const& value);

} // namespace fcgi
