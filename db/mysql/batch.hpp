#pragma once

#include "db/mysql/connection.hpp"

#include <chrono>
#include <memory>
#include <span>

namespace sql {
class ResultSet;
class Statement;
} // namespace sql

namespace db {

// Several SELECTs on one way to the server and back: it sends them at once, and the results come
// one after another. A server answers the next while the last is read, and neither waits for the
// other in between: 25 small ones took a client alone 1,190 us of the server's time instead of
// 1,760, and half the time. One at a time where Connection::try_together did not allow more. Each
// result is to be read before the next. Given up before the last of what was sent, the connection
// is cut and broken. Connection and statements outlive it. The server is told to stop each
// statement after `patience`; an answer that comes late all the same is waited for until the
// deadline.
class Batch {
  public:
    Batch(Connection& connection, std::span<SqlText const* const> statements,
          parser::Deadline const& deadline,
          std::chrono::milliseconds patience = std::chrono::milliseconds::max());
    ~Batch();
    Batch(Batch const&) = delete;

    // The result of the next statement, buffered. Errors as of Connection::query, of it or of the
    // stream before; nothing follows one.
    parser::Result<Cursor> next();
    // The same as it comes. `most_rows` is the LIMIT of the statement, where it has one.
    parser::Result<RowStream> stream_next(std::uint64_t most_rows = UINT64_MAX);

  private:
    std::size_t send(); // how many
    std::unique_ptr<sql::ResultSet> result(bool is_first, bool is_stream);
    void advance(Cells::State& cells, bool is_stream);

    Connection& connection_;
    std::span<SqlText const* const> statements_; // that are not sent
    parser::Deadline const& deadline_;
    std::chrono::milliseconds const patience_;
    std::unique_ptr<sql::Statement> sent_;
    std::size_t coming_ = 0; // results of what was sent
};

} // namespace db
