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

// The internals of connections and their rows, for their sources only.

namespace db {

// Returns the driver, which knows this thread from then on.
sql::Driver& driver();

struct Connection::State {
    State(SessionOptions const& options, std::string const& address)
        : statement_timeout(options.statement_timeout), watch(options.watchdog, address) {}

    // Returns what was thrown, as an Error; call it within a catch. The connection is broken then.
    parser::Error failure();
    Watchdog::Time overdue(parser::Deadline const& deadline) const;
    // Appends a statement as it is sent: with a limit of its own if it has less time than others.
    void append(sql::SQLString& text, SqlText const& sql, parser::Deadline const& deadline,
                std::chrono::milliseconds patience) const;

    std::chrono::milliseconds const statement_timeout;
    Watchdog::Watch watch; // outlives the connection
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
    std::unique_ptr<sql::Statement> statement; // null: a StatementBatch has it
    std::unique_ptr<sql::ResultSet> rows;
    sql::Statement* ending = nullptr; // of a RowStream: is asked for an error at its end
    sql::SQLString cell;
    std::size_t widest = 0; // in bytes, of the cells that were copied
};

} // namespace db
