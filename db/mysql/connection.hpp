#pragma once

#include "db/sql/sql_text.hpp"
#include "parser/base/deadline.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

// One connection to MySQL or MariaDB through Connector/C++, for reading. The only folder that
// includes <cppconn/…>; every exception of the Connector ends here as an Error.

namespace db {

// mysql://user:password@host:port/name?ssl-ca=FILE
// mysql://user:password@localhost/name?socket=/path      (parts percent-encoded where needed)
struct DatabaseUrl {
    std::string host;
    unsigned port = 3306;
    std::string socket;
    std::string user;
    std::string password;
    std::string name;
    std::string ssl_ca; // set: TLS with a certificate of this authority, or no connection
};

// Says what was expected, and nothing of what was received: that may hold a password.
parser::Result<DatabaseUrl> parse_database_url(std::string_view url);

struct SessionOptions {
    std::chrono::milliseconds statement_timeout{5'000};
    std::chrono::milliseconds connect_timeout{2'000};
    bool read_only = true;
};

// For the commands that create and fill tables: they may write, and take their time.
inline constexpr SessionOptions owner_session{.statement_timeout = std::chrono::hours(24),
                                              .read_only = false};

// The rows of one statement, buffered: by the time there is a Cursor, every row has arrived and no
// error can follow. (Unbuffered, Connector/C++ 1.1.12 loses every error after the first row, so
// that a statement timeout would look like a short answer.)
class Cursor {
  public:
    Cursor(Cursor&&) noexcept;
    Cursor& operator=(Cursor&&) noexcept;
    ~Cursor();

    std::size_t rows() const;
    bool next();
    // Columns count from 0. The text is valid until the next call on this cursor; NULL gives a
    // string_view whose data() is null.
    std::string_view text(unsigned column);
    // Of a column of ids or counts, at half the price; NULL gives 0.
    std::uint64_t id(unsigned column);
    // As text(), in memory of the caller's and valid as long as that.
    std::string_view copy(unsigned column, std::pmr::memory_resource& memory);

  private:
    friend class Connection;
    struct State;
    explicit Cursor(std::unique_ptr<State>);
    std::unique_ptr<State> state_;
};

// Not for use by two threads at once. After an error that is_broken() reports, drop it.
class Connection {
  public:
    // Opens and sets up the session: utf8mb4 in the collation of the content tables, UTC,
    // REPEATABLE READ, READ ONLY, statement timeout, eq_range_index_dive_limit=1. The cause of a
    // refusal ends in `; cure: …`.
    static parser::Result<std::unique_ptr<Connection>> open(DatabaseUrl const& url,
                                                            SessionOptions const& options);
    ~Connection();

    // `unavailable` if the connection or the server failed, `conflict` if another transaction was
    // faster, `timed_out`, `schema_changed`, `not_granted`; `internal` otherwise. Where less time
    // is left than a statement may take, the server is told to stop earlier.
    parser::Result<Cursor> query(SqlText const& sql, parser::Deadline const& deadline = {});
    // For statements without rows: START TRANSACTION, COMMIT.
    parser::Result<void> command(SqlText const& sql);

    // There was an error: the connection is lost, or its transaction in an unknown state.
    bool is_broken() const;
    bool is_mariadb() const;

  private:
    struct State;
    explicit Connection(std::unique_ptr<State>);
    parser::Result<void> set_up(DatabaseUrl const& url, SessionOptions const& options);
    std::unique_ptr<State> state_;
};

} // namespace db
