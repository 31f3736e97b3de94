#pragma once

#include "db/mysql/connection.hpp"
#include "run.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace hammer {

// A connection of the server's owner, opened when it is needed and again after an error.
class Session {
  public:
    explicit Session(db::DatabaseUrl const& owner) : owner_(owner) {}

    // False: what became of the statement is unknown, and the session with its transaction is gone.
    bool run(db::SqlText const& sql) {
        bool const done = connect() && connection_->command(sql);
        if (!done) connection_.reset();
        return done;
    }
    // The first column of the rows; of an error, none.
    std::vector<std::string> column(db::SqlText const& sql) {
        std::vector<std::string> texts;
        if (!connect()) return texts;
        if (auto rows = connection_->query(sql)) {
            while (rows->next())
                texts.emplace_back(rows->text(0));
        } else {
            connection_.reset();
        }
        return texts;
    }
    bool is_mariadb() { return connect() && connection_->is_mariadb(); }
    void close() { connection_.reset(); }

  private:
    bool connect() {
        if (connection_) return true;
        if (auto opened = db::Connection::open(owner_, db::owner_session))
            connection_ = std::move(*opened);
        else
            std::this_thread::sleep_for(after_refusal);
        return connection_ != nullptr;
    }

    db::DatabaseUrl const owner_;
    std::unique_ptr<db::Connection> connection_;
};

} // namespace hammer
