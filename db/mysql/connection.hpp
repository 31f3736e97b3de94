#pragma once

#include "db/mysql/cursor.hpp"
#include "db/mysql/database_url.hpp"
#include "db/mysql/sql_text.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// One connection to MySQL or MariaDB through Connector/C++, for reading. This is the only folder
// that includes <cppconn/…>; every exception of the Connector becomes an Error here.

namespace db {

class Watchdog;

struct SessionOptions {
    std::chrono::milliseconds statement_timeout{5'000};
    std::chrono::milliseconds connect_timeout{2'000};
    bool read_only = true;
    // On a Galera node, a snapshot waits until the node has all that the cluster has acknowledged.
    bool galera_sync = false;
    Watchdog* watchdog = nullptr; // ends what takes too long; outlives the connections
};

// These are for the commands that create and fill tables, which may write, and take their time.
inline constexpr SessionOptions owner_session{.statement_timeout = std::chrono::hours(24),
                                              .read_only = false};

// Not for use by two threads at once. After an error that is_broken() reports, drop it.
class Connection {
  public:
    using Time = parser::Deadline::Clock::time_point;

    // Opens and sets up the session: utf8mb4, UTC, REPEATABLE READ, READ ONLY, statement timeout,
    // eq_range_index_dive_limit=1. The cause of a refusal ends in `; fix: …`. Fails with
    // `unreachable`, with `unavailable` if the server takes no more connections, or with
    // `timed_out` if waiting for its turn or setting up takes until `by`.
    static parser::Result<std::unique_ptr<Connection>>
    open(DatabaseUrl const& url, SessionOptions const& options, Time by = Time::max());
    // Opens a connection to the first host that accepts one.
    static parser::Result<std::unique_ptr<Connection>>
    open(DatabaseHosts const& database, SessionOptions const& options, Time by = Time::max());
    ~Connection();

    // Fails with `connection_lost` if the connection or the server failed, `conflict` if another
    // transaction was faster, `unavailable` if the server has run out of something, `invalid` if
    // the keys to sort by are too many, `timed_out`, `schema_changed`, `not_granted`; with
    // `internal` otherwise. If less time is left than a statement may take, the server is told to
    // stop earlier, as it is if `patience` is less. With a watchdog no statement outlives its time
    // by more than half a second, whatever the server does.
    parser::Result<Cursor>
    query(SqlText const& sql, parser::Deadline const& deadline = {},
          std::chrono::milliseconds patience = std::chrono::milliseconds::max());
    // Runs a statement without rows. Fails with `timed_out` if it is not done by `by`.
    parser::Result<void> command(SqlText const& sql, Time by = Time::max());

    // Begins a snapshot, and ends the one before: everything that is read until commit() is as of
    // this moment, and nothing is written.
    parser::Result<void> begin_snapshot(Time by = Time::max());
    parser::Result<void> commit(Time by = Time::max());
    bool is_in_snapshot() const;

    // Finds out whether a StatementBatch is answered by the server that has the current
    // transaction. Returns false if it is not, or if no reply came: then a StatementBatch sends
    // one statement at a time, and you should begin the transaction again. A proxy may send several
    // statements elsewhere (MaxScale's readwritesplit: to the primary), or refuse them.
    parser::Result<bool> try_together(parser::Deadline const& deadline);
    bool sends_together() const;

    // Makes the connection usable again after an error that concerned the statement alone, as when
    // the server stopped it in time. Returns false if the error may have changed anything else.
    bool resume();
    // Returns whether there was an error, so that the connection is lost, or its transaction in an
    // unknown state.
    bool is_broken() const;
    // Returns whether a statement failed because the connection was lost or cut.
    bool is_lost() const;
    // Returns the number, in the server's list of processes, of a connection that was cut with a
    // statement in flight, if the server may continue it. A silent server is not expected to.
    std::optional<std::uint64_t> left_running() const;
    // Returns whether a row was so large that its memory, which stays with the connection, is not
    // worth keeping.
    bool holds_much() const;
    bool is_mariadb() const;

    // Returns which server this is: the same text on all connections to it, and on no other. It
    // queries the server once.
    parser::Result<std::string_view> server(parser::Deadline const& deadline = {});

  private:
    friend class StatementBatch;
    friend class RowStream;
    struct State;
    explicit Connection(std::unique_ptr<State>);
    void cut();
    parser::Result<void> set_up(DatabaseUrl const& url, SessionOptions const& options);
    std::unique_ptr<State> state_;
};

// Takes the lock with that name (at most 30 bytes) of the connection's database; the end of the
// connection releases it. Returns false if another connection held it for all of `wait`. In a
// cluster that has no such locks, it always returns true.
parser::Result<bool> take_lock(Connection& connection, std::string_view name,
                               std::chrono::seconds wait);

// Identifies the server that a connection leads to. No single variable does: MySQL has a
// server_uuid; MariaDB since 10.11 has a server_uid, which two servers without a port on one
// machine share; and copies of a machine have the same values of everything but the name.
inline constexpr SqlPiece server_statement =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('datadir', 'hostname', 'port', 'server_id',"
    " 'server_uid', 'server_uuid', 'socket')";

// Makes a text of its rows that is the same for all connections to one server, and for no other.
template<class Rows>
std::string server_of(Rows& rows) {
    std::string server;
    while (rows.next()) {
        server.append(rows.text(0)).append("=");
        server.append(rows.text(1)).append("\n");
    }
    return server;
}

} // namespace db
