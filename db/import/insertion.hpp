#pragma once

#include "db/import/folder.hpp"
#include "db/mysql/connection.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace db {

// Rows on their way into one table, many in a statement.
class Insertion {
  public:
    // `referred` are rows that these refer to, and that are sent first; null: there are none.
    Insertion(Connection& connection, std::string_view table,
              std::vector<std::string> const& columns, Insertion* referred = nullptr);

    // A row to put literals into, each with the comma that it needs; valid until the next call.
    // `place` is where the row comes from, for the message if the server refuses it.
    class Row {
      public:
        SqlText& next();

      private:
        friend class Insertion;
        explicit Row(SqlText& sql) : sql_(sql) {}
        SqlText& sql_;
        bool first_ = true;
    };
    parser::Result<Row> row(Origin const& place);

    // Sends what is left.
    parser::Result<void> flush();

  private:
    Connection& connection_;
    Insertion* referred_;
    SqlText head_;
    SqlText sql_; // empty: no row yet
    Origin first_;
    Origin last_;
};

} // namespace db
