#pragma once

#include "db/hosts/database_url.hpp"
#include "db/mysql/cursor.hpp"
#include "db/sql/sql_text.hpp"
#include "parser/base/deadline.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// One connection to MySQL or MariaDB through Connector/C++, for reading. The only folder that
// includes <cppconn/…>; every exception of the Connector ends here as an Error.

namespace db {

class Watchdog;

struct SessionOptions {
    std::chrono::milliseconds statement_timeout{5'000};
    std::chrono::milliseconds connect_timeout{2'000};
    bool read_only = true;
    // Of a Galera node: a snapshot waits until it has all that the cluster has acknowledged.
    bool galera_sync = false;
    Watchdog* watchdog = nullptr; // that ends what takes too long; outlives the connections
};

// For the commands that create and fill tables: they may write, and take their time.
inline constexpr SessionOptions owner_session{.statement_timeout = std::chrono::hours(24),
                                              .read_only = false};

// Not for use by two threads at once. After an error that is_broken() reports, drop it.
class Connection {
  public:
    using Time = parser::Deadline::Clock::time_point;

    // Opens and sets up the session: utf8mb4 in the collation of the content tables, UTC,
    // REPEATABLE READ, READ ONLY, statement timeout, eq_range_index_dive_limit=1. The cause of a
    // refusal ends in `; cure: …`. `unreachable`, or `unavailable` where the server takes no more
    // connections, or `timed_out` if all that is not done `by` then.
    static parser::Result<std::unique_ptr<Connection>>
    open(DatabaseUrl const& url, SessionOptions const& options, Time by = Time::max());
    // To the first host that accepts one.
    static parser::Result<std::unique_ptr<Connection>>
    open(DatabaseHosts const& database, SessionOptions const& options, Time by = Time::max());
    ~Connection();

    // `connection_lost` if the connection or the server failed, `conflict` if another transaction
    // was faster, `timed_out`, `schema_changed`, `not_granted`; `internal` otherwise. Where less
    // time is left than a statement may take, the server is told to stop earlier. With a watchdog
    // no statement outlives its time by more than half a second, whatever the server does.
    parser::Result<Cursor> query(SqlText const& sql, parser::Deadline const& deadline = {});
    // For statements without rows. `timed_out` if it is not done `by` then.
    parser::Result<void> command(SqlText const& sql, Time by = Time::max());

    // All that is read until commit() is of this moment, and nothing is written. A snapshot before
    // ends.
    parser::Result<void> begin_snapshot(Time by = Time::max());
    parser::Result<void> commit(Time by = Time::max());
    bool is_in_snapshot() const;

    // Finds out whether a Batch is answered by the server that has the transaction, in which this
    // is called; false where not, or where no answer came: then it sends one statement at a time,
    // and the transaction is best begun anew. Something in between may send several statements
    // elsewhere (MaxScale's readwritesplit: to the primary), or refuse them.
    parser::Result<bool> try_together(parser::Deadline const& deadline);
    bool sends_together() const;

    // After an error: whether the server told it of the statement alone, as it does of one that it
    // stopped in time. Then nothing else has changed, and the connection is as before.
    bool resume();
    // There was an error: the connection is lost, or its transaction in an unknown state.
    bool is_broken() const;
    // The connection is lost, or was cut.
    bool is_lost() const;
    // It was cut with a statement in flight, which the server may go on with: by this number its
    // list of processes has it. A server that is silent is not expected to.
    std::optional<std::uint64_t> left_running() const;
    // A row was so large that the memory for it, which stays with the connection, is not worth it.
    bool holds_much() const;
    bool is_mariadb() const;

    // Which server this is: the same text on all connections to it, and no other. Asked once.
    parser::Result<std::string_view> server(parser::Deadline const& deadline = {});

  private:
    friend class Batch;
    friend class RowStream;
    struct State;
    explicit Connection(std::unique_ptr<State>);
    void cut();
    parser::Result<void> set_up(DatabaseUrl const& url, SessionOptions const& options);
    std::unique_ptr<State> state_;
};

} // namespace db
