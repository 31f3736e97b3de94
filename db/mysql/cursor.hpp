#pragma once

#include "parser/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>

// The rows that a statement returned, one after another.

namespace db {

class Connection;

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
    friend class Batch;
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
    friend class Batch;
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
    // another result of its Batch follows, that one may report an error of this one.
    parser::Result<bool> next();

  private:
    friend class Batch;
    RowStream(std::unique_ptr<State> state, Connection& connection, std::uint64_t most_rows);

    Connection* connection_; // null: at the end
    std::uint64_t rows_left_;
};

} // namespace db
