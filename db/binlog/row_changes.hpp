#pragma once

#include "db/binlog/changes.hpp"
#include "db/binlog/row_event.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Which rows the events of the binlog change, as row tags and in a Journal.

namespace db {

// The columns by which a row is known to readers, counted from 0.
struct ListedColumns {
    std::optional<std::uint16_t> id = {};
    std::optional<std::uint16_t> document = {};
    std::optional<std::uint16_t> published = {}; // NULL: it is a draft
};

// A row that was inserted, updated or deleted, as far as the images have it.
struct ListedRow {
    ChangeLog::Table const* table = nullptr;
    std::optional<std::uint64_t> id = {};
    std::string document = {}; // empty: not known
    // Before or after the change; none: the images do not say.
    std::optional<bool> was_published = {};
};

// What the stream notes of transactions beside LastChanges, for one who tells others of each. Its
// thread fills it.
class Journal {
  public:
    // What is listed of the rows of a table from now on.
    void list(ChangeLog::Table const& table, ListedColumns columns) { listed_[&table] = columns; }
    void list_none() { listed_.clear(); }

    void add(ChangeLog::Table const& table) { tables.insert(&table); }
    void add(RowTag const& tag);
    void add(ChangeLog::Table const& table, RowEvent const& row);

    bool is_empty() const { return tables.empty() && !rows_of_all && !structure; }
    void clear();

    std::set<ChangeLog::Table const*> tables; // that changed
    std::set<RowTag> tags;
    std::vector<ListedRow> rows;
    // Rows of any table may have changed. Also set if the tags or rows are too many.
    bool rows_of_all = false;
    bool structure = false; // also which tables and columns there are

  private:
    void bound();

    std::map<ChangeLog::Table const*, ListedColumns> listed_;
};

// Notes at `at` all row tags that apply to the rows of an event. Returns false if it cannot be read
// to its end.
bool raise_tags_of_rows(LogEvent const& event, RowFormat const& format,
                        ChangeLog::Table const& table, LastChanges& changes, std::uint64_t at);

} // namespace db
