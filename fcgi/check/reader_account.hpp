#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/database_url.hpp"
#include "db/mysql/sql_text.hpp"
#include "parser/base/error.hpp"

#include <memory>
#include <string>
#include <vector>

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

} // namespace fcgi
