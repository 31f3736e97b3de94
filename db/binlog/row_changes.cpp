#include "db/binlog/row_changes.hpp"

namespace db {

namespace {

// A transaction that changes more changes everything: to name it all would take longer than to
// read again what of it is asked for.
constexpr std::size_t most_tags = 5'000;

// Returns what the row has in a column after the change, or had before.
Cell const& cell_of(RowEvent const& row, std::uint16_t column) {
    auto const& after = row.after()[column];
    return after.value ? after : row.before()[column];
}

using Aspect = RowTag::Aspect;

// The value by which responses know the row; none: they cannot, or the image lacks it.
std::optional<TagValue> value_in(Cell const& cell, StoredColumn const& column) {
    switch (column.encoding) {
    case StoredColumn::Encoding::integer:
        return tag_value(Bytes{*cell.value}.integer(cell.value->size()));
    case StoredColumn::Encoding::text:
        return tag_value(*cell.value);
    case StoredColumn::Encoding::other:
        break;
    }
    return std::nullopt;
}

class Raising {
  public:
    Raising(RowFormat const& format, ChangeLog::Table const& table, LastChanges& changes,
            std::uint64_t at)
        : format_(format),
          table_(table),
          distinguished_(table.columns_told_apart.load(std::memory_order_acquire)),
          changes_(changes),
          at_(at) {}

    void raise_for(RowEvent const& row) {
        if (!row.is_update()) raise(row.is_insert() ? Aspect::inserted : Aspect::deleted);
        for (std::size_t i = 0; i < format_.columns.size(); ++i) {
            auto const column = static_cast<std::uint16_t>(i);
            Cell const& before = row.before()[i];
            Cell const& after = row.after()[i];
            if (row.is_update() && after.is_present && before != after)
                raise(Aspect::column, column);
            if (i >= 64 || (distinguished_ >> i & 1) == 0) continue;
            raise_value(before, column);
            raise_value(after, column);
            // An update that lacks the value after it did not change that.
            bool const is_known = before.is_present || (row.is_insert() && after.is_present);
            if (!is_known) raise(Aspect::other_value, column);
        }
    }

  private:
    void raise(Aspect aspect, std::uint16_t column = 0, TagValue const& value = {}) {
        changes_.change(RowTag{&table_, aspect, column, value}, at_);
    }

    // No response looks for NULL.
    void raise_value(Cell const& cell, std::uint16_t column) {
        if (!cell.value) return;
        auto const value = value_in(cell, format_.columns[column]);
        raise(value ? Aspect::value : Aspect::other_value, column, value.value_or(TagValue()));
    }

    RowFormat const& format_;
    ChangeLog::Table const& table_;
    std::uint64_t const distinguished_;
    LastChanges& changes_;
    std::uint64_t const at_;
};

} // namespace

void Journal::add(RowTag const& tag) {
    if (rows_of_all) return;
    tags.insert(tag);
    bound();
}

void Journal::add(ChangeLog::Table const& table, RowEvent const& row) {
    auto const listed = listed_.find(&table);
    if (listed == listed_.end() || rows_of_all) return;
    auto const& columns = listed->second;
    auto const has = [&](std::optional<std::uint16_t> column) {
        return column && *column < row.before().size();
    };
    ListedRow& found = rows.emplace_back();
    found.table = &table;
    if (has(columns.id))
        if (auto const& value = cell_of(row, *columns.id).value)
            found.id = Bytes{*value}.integer(value->size());
    if (has(columns.document))
        found.document = cell_of(row, *columns.document).value.value_or(std::string_view());
    if (!columns.published) found.was_published = true;
    if (has(columns.published)) {
        Cell const& before = row.before()[*columns.published];
        Cell const& after = row.after()[*columns.published];
        if (before.is_present || after.is_present)
            found.was_published = before.value.has_value() || after.value.has_value();
    }
    bound();
}

void Journal::bound() {
    if (tags.size() <= most_tags && rows.size() <= most_tags) return;
    rows_of_all = true;
    tags.clear();
    rows.clear();
}

void Journal::clear() {
    tables.clear();
    tags.clear();
    rows.clear();
    rows_of_all = structure = false;
}

bool raise_tags_of_rows(LogEvent const& event, RowFormat const& format,
                        ChangeLog::Table const& table, LastChanges& changes, std::uint64_t at) {
    if (table.columns_told_apart.load(std::memory_order_acquire) == 0) return true;
    if (table.columns.load(std::memory_order_acquire) != format.columns.size()) return false;
    Raising raising(format, table, changes, at);
    RowEvent row(event, format);
    while (row.next()) {
        raising.raise_for(row);
        if (auto* const journal = changes.journal()) journal->add(table, row);
    }
    return row.is_well_formed();
}

} // namespace db
