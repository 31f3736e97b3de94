#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/cursor.hpp"
#include "db/mysql/watchdog.hpp"

#include <cppconn/connection.h>
#include <cppconn/driver.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

// What connections and their rows are made of; for their sources alone.

namespace db {

// The driver, which knows this thread.
sql::Driver& driver();

struct Connection::State {
    State(SessionOptions const& options, std::string const& address)
        : statement_timeout(options.statement_timeout), watch(options.watchdog, address) {}

    // Within a catch: what was thrown, as an Error. The connection is broken.
    parser::Error failure();
    Watchdog::Time overdue(parser::Deadline const& deadline) const;
    // A statement as it is sent: with a limit of its own where it is given less time than others.
    std::string
    in_time(SqlText const& sql, parser::Deadline const& deadline,
            std::chrono::milliseconds patience = std::chrono::milliseconds::max()) const;

    std::chrono::milliseconds const statement_timeout;
    Watchdog::Watch watch; // until after the connection is closed
    std::unique_ptr<sql::Connection> connection;
    bool broken = false;
    bool lost = false;
    bool can_resume = false; // see Connection::resume
    bool holds_much = false;
    bool mariadb = true;
    bool together = false; // see Connection::try_together
    bool in_snapshot = false;
    std::uint64_t id = 0; // see Connection::left_running; 0: not known yet
    std::string server;   // empty: not asked yet
};

struct Cells::State {
    std::optional<Watchdog::Watch::Task> task; // of a RowStream
    std::unique_ptr<sql::Statement> statement; // null: of a Batch
    std::unique_ptr<sql::ResultSet> rows;
    sql::Statement* ending = nullptr; // of a RowStream: asked for an error at its end
    sql::SQLString cell;
    std::size_t widest = 0; // in bytes, of the cells that were copied
};

} // namespace db
