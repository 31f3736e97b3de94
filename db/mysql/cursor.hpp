#pragma once

#include "parser/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>

// The rows that a statement gave, one after another.

namespace db {

class Connection;

// The cells of the current row, by column, counted from 0.
class Cells {
  public:
    Cells(Cells&&) noexcept;
    Cells& operator=(Cells&&) noexcept;
    ~Cells();

    // Valid until the next call on this object; NULL gives a string_view whose data() is null.
    std::string_view text(unsigned column);
    // Of a column of ids or counts, at half the price; NULL gives 0.
    std::uint64_t id(unsigned column);
    // As text(), in memory of the caller's and valid as long as that.
    std::string_view copy(unsigned column, std::pmr::memory_resource& memory);

  protected:
    friend class Batch;
    friend class Connection;
    struct State;
    explicit Cells(std::unique_ptr<State>);
    std::unique_ptr<State> state_;
};

// Buffered: by the time there is a Cursor, every row has arrived and no error can follow. For what
// is known to be small.
class Cursor : public Cells {
  public:
    std::size_t rows() const;
    bool next();

  private:
    friend class Batch;
    friend class Connection;
    using Cells::Cells;
};

// As they come, in memory for one of them: the server waits until they are read. Until the last one
// is, the connection can do nothing else; given up before, it is cut and broken. The connection
// outlives it.
class RowStream : public Cells {
  public:
    RowStream(RowStream&&) noexcept;
    RowStream& operator=(RowStream&&) = delete;
    ~RowStream();

    // False: that were all. Errors as of Connection::query, at any row; where another result of its
    // Batch follows, that one may be who tells of an error here.
    parser::Result<bool> next();

  private:
    friend class Batch;
    RowStream(std::unique_ptr<State> state, Connection& connection, std::uint64_t most_rows);

    Connection* connection_; // null: at the end
    std::uint64_t rows_left_;
};

} // namespace db
