#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/cursor.hpp"
#include "db/mysql/watchdog.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

// What connections and their rows are made of; for their sources alone.

namespace db {

struct Connection::State {
    State(SessionOptions const& options, std::string const& address)
        : statement_timeout(options.statement_timeout), watch(options.watchdog, address) {}

    // Within a catch: what was thrown, as an Error. The connection is broken.
    parser::Error failure();
    Watchdog::Time overdue(parser::Deadline const& deadline) const;

    std::chrono::milliseconds const statement_timeout;
    Watchdog::Watch watch; // until after the connection is closed
    std::unique_ptr<sql::Connection> connection;
    bool broken = false;
    bool lost = false;
    bool holds_much = false;
    bool mariadb = true;
    std::string server; // empty: not asked yet
};

struct Cells::State {
    std::optional<Watchdog::Watch::Task> task; // of a RowStream
    std::unique_ptr<sql::Statement> statement;
    std::unique_ptr<sql::ResultSet> rows;
    sql::SQLString cell;
    std::size_t widest = 0; // in bytes, of the cells that were copied
};

} // namespace db
