#pragma once

#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>

// The rows that a statement returned, one after another, and several statements sent at once.

namespace sql {
class ResultSet;
class Statement;
} // namespace sql

namespace db {

class Connection;
class SqlText;

// The cells of the current row, by column, counted from 0.
class Cells {
  public:
    Cells(Cells&&) noexcept;
    Cells& operator=(Cells&&) noexcept;
    ~Cells();

    // The text is valid until the next call on this object; NULL gives a string_view whose data()
    // is null.
    std::string_view text(unsigned column);
    // Reads a column of ids or counts, at half the cost of text(); NULL gives 0.
    std::uint64_t id(unsigned column);
    // Does the same as text(), but the result is in `memory` and lives as long as that.
    std::string_view copy(unsigned column, std::pmr::memory_resource& memory);

  protected:
    friend class StatementBatch;
    friend class Connection;
    struct State;
    explicit Cells(std::unique_ptr<State>);
    std::unique_ptr<State> state_;
};

// Buffered rows: by the time there is a Cursor, every row has arrived and no error can follow. It
// is for results that are known to be small.
class Cursor : public Cells {
  public:
    std::size_t rows() const;
    bool next();

  private:
    friend class StatementBatch;
    friend class Connection;
    using Cells::Cells;
};

// Rows as they come, in memory for one of them: the server waits until they are read. The
// connection can do nothing else before the last row is read; if the stream is destroyed before
// that, the connection is cut and broken. The connection outlives the stream.
class RowStream : public Cells {
  public:
    RowStream(RowStream&&) noexcept;
    RowStream& operator=(RowStream&&) = delete;
    ~RowStream();

    // Returns false after the last row. Errors are those of Connection::query, at any row; if
    // another result of its StatementBatch follows, that one may report an error of this one.
    parser::Result<bool> next();

  private:
    friend class StatementBatch;
    RowStream(std::unique_ptr<State> state, Connection& connection, std::uint64_t most_rows);

    Connection* connection_; // null: at the end
    std::uint64_t rows_left_;
};

// Sends several SELECTs in one round trip; their results come one after another. The server runs
// the next statement while the last result is read, and neither side waits for the other in
// between: for a single client, 25 small ones took 1,190 us of the server's time instead of 1,760,
// and half the elapsed time. Statements are sent one at a time if Connection::try_together() did
// not allow more. Read each result before the next. If a StatementBatch is destroyed before the
// last result of what was sent, the connection is cut and broken. Connection and statements outlive
// it. The server is told to stop each statement after `patience`; a result that comes late all the
// same is waited for until the deadline.
class StatementBatch {
  public:
    StatementBatch(Connection& connection, std::span<SqlText const* const> statements,
                   parser::Deadline deadline,
                   std::chrono::milliseconds patience = std::chrono::milliseconds::max());
    ~StatementBatch();
    StatementBatch(StatementBatch const&) = delete;

    // Returns the result of the next statement, buffered. Errors are those of Connection::query, of
    // this statement or of the stream before it; no result follows an error.
    parser::Result<Cursor> next();
    // Does the same, but returns the rows as they come. `most_rows` is the LIMIT of the statement,
    // if it has one.
    parser::Result<RowStream> stream_next(std::uint64_t most_rows = UINT64_MAX);

  private:
    std::size_t send(); // returns how many
    std::unique_ptr<sql::ResultSet> result(bool is_first, bool is_stream);
    void advance(Cells::State& cells, bool is_stream);

    Connection& connection_;
    std::span<SqlText const* const> statements_; // not sent yet
    parser::Deadline const deadline_;
    std::chrono::milliseconds const patience_;
    std::unique_ptr<sql::Statement> sent_;
    std::size_t coming_ = 0; // results of what was sent that are not read yet
};

} // namespace db
