#pragma once

#include "db/binlog/event.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Reads the rows that an event of the binlog says are inserted, updated or deleted, in row format.
// The server may log whole rows (binlog_row_image=FULL) or parts of them.

namespace db {

// How the values of a column are stored in events.
struct StoredColumn {
    enum class Encoding : std::uint8_t { integer, text, other }; // text: VARCHAR

    Encoding encoding;
    std::uint8_t length_bytes; // of the length before each value; 0: all have the same
    std::uint32_t length;      // if all have the same
};

// How a table's rows are stored in events, as a `table_map` says it.
class RowFormat {
  public:
    // Takes ChangedTable::columns. Returns none if a column is of a type that is not known, or has
    // no length that is known (MariaDB's compressed columns).
    static std::optional<RowFormat> read(std::string_view columns);

    std::vector<StoredColumn> columns;
};

// What an image has of one column.
struct Cell {
    bool is_present = false;
    std::optional<std::string_view> value = {}; // none: NULL, or not present

    bool operator==(Cell const&) const = default;
};
// By column. Its cells lead into the event.
using RowImage = std::vector<Cell>;

// Goes through the rows of one event.
class RowEvent {
  public:
    // `format` outlives this.
    RowEvent(LogEvent const& event, RowFormat const& format);

    // Reads the next row. Returns false at the end of the event, and where it is malformed.
    bool next();
    bool is_well_formed() const { return is_well_formed_; }

    // A row that is inserted has nothing before, one that is deleted nothing after.
    RowImage const& before() const { return before_; }
    RowImage const& after() const { return after_; }
    bool is_update() const { return writes_ && erases_; }
    bool is_insert() const { return writes_ && !erases_; }

  private:
    bool read(RowImage& image, std::string_view present);

    RowFormat const& format_;
    std::string_view left_;
    std::string_view present_before_, present_after_; // a bit for each column
    bool erases_;
    bool writes_;
    bool is_well_formed_ = false;
    RowImage before_, after_;
};

// Returns the number of the table whose rows the event has, by which ChangedTable knows it.
std::optional<std::uint64_t> table_number(LogEvent const& event);

} // namespace db
