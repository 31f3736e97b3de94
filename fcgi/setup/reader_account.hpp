#pragma once

#include "db/hosts/database_url.hpp"
#include "db/mysql/connection.hpp"
#include "db/sql/sql_text.hpp"
#include "parser/base/error.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fcgi {

// An account that may only read one database, of a server on this machine, which knows it by the
// system's user of the same name: it has no password.
class ReaderAccount {
  public:
    // `server` is how its administrator gets in, and the database. Asks what the account lacks.
    static parser::Result<ReaderAccount> find(db::DatabaseUrl const& server,
                                              std::string const& user);

    // Statements that make what is missing, in their order; none where it is all there.
    std::vector<db::SqlText> statements() const;
    parser::Result<void> make();
    // What make() has made, all or the first of it. The error names the statements that are left.
    parser::Result<void> take_back();

    unsigned port() const { return port_; }       // 0: the server has none
    bool logs_rows() const { return logs_rows_; } // as the cache needs it
    bool is_mariadb() const { return connection_->is_mariadb(); }

  private:
    struct Step {
        db::SqlText make, undo;
    };
    ReaderAccount(std::unique_ptr<db::Connection> connection)
        : connection_(std::move(connection)) {}

    std::unique_ptr<db::Connection> connection_;
    std::vector<Step> steps_;
    std::size_t made_ = 0; // of the steps, the first so many
    unsigned port_ = 0;
    bool logs_rows_ = false;
};

} // namespace fcgi
