#pragma once

#include "db/import/mistakes.hpp"
#include "db/mysql/connection.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace db {

// What the server says of a row that it refuses; the error is one of the row then.
bool is_refusal(parser::Error const& error);
std::string refusal(parser::Error const& error);

// Rows on their way into one table, many in a statement. One that the server refuses is a mistake
// of the folder.
class Insertion {
  public:
    // `referred` are rows that these refer to, and that are sent first; null: there are none.
    Insertion(Connection& connection, Mistakes& mistakes, std::string_view table,
              std::vector<std::string> const& columns, Insertion* referred = nullptr);

    // A row to put literals into, each with the comma that it needs; valid until the next call.
    // `place` is where the row comes from.
    class Row {
      public:
        SqlText& next();

      private:
        friend class Insertion;
        explicit Row(SqlText& sql) : sql_(sql) {}
        SqlText& sql_;
    };
    parser::Result<Row> row(Origin const& place);

    // Sends what is left.
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
    std::size_t size_ = 0; // bytes of those that are complete
    bool has_refused_ = false;
};

} // namespace db
