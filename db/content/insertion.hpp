#pragma once

#include "db/content/mistakes.hpp"
#include "db/mysql/connection.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace db {

// is_refusal() returns whether the server refused a row; refusal() returns what it said of the row.
bool is_refusal(parser::Error const& error);
std::string refusal(parser::Error const& error);

// Inserts rows into one table, many per statement. A row that the server refuses is an error in the
// folder.
class Insertion {
  public:
    // `referred` has the rows that these refer to, which are sent first; null if there are none.
    Insertion(Connection& connection, Mistakes& mistakes, std::string_view table,
              std::vector<std::string> const& columns, Insertion* referred = nullptr);

    // A row to append literals to; next() adds the comma that each needs. It is valid until the
    // next call of row(). `place` is where the row comes from.
    class Row {
      public:
        SqlText& next();

      private:
        friend class Insertion;
        explicit Row(SqlText& sql) : sql_(sql) {}
        SqlText& sql_;
    };
    parser::Result<Row> row(Origin const& place);

    // Sends the rows that are left.
    parser::Result<void> flush();

  private:
    struct Waiting {
        Origin place;
        SqlText values;
    };
    parser::Result<void> send(std::size_t first, std::size_t last);
    parser::Result<void> send_each();

    Connection& connection_;
    Mistakes& mistakes_;
    Insertion* referred_;
    SqlText head_;
    std::vector<Waiting> rows_;
    std::size_t size_ = 0; // bytes of the complete rows
    bool has_refused_ = false;
};

} // namespace db
