#include "db/binlog/row_changes.hpp"

#include "db/binlog/bytes.hpp"

namespace db {

namespace {

using Kind = RowTag::Kind;

// The value by which responses know the row; none: they cannot, or the image lacks it.
std::optional<TagValue> value_in(Cell const& cell, RowFormat::Column const& column) {
    switch (column.encoding) {
    case RowFormat::Encoding::integer:
        return tag_value(Bytes{*cell.value}.integer(cell.value->size()));
    case RowFormat::Encoding::text:
        return tag_value(*cell.value);
    case RowFormat::Encoding::other:
        break;
    }
    return std::nullopt;
}

class Raising {
  public:
    Raising(RowFormat const& format, ChangeLog::Table const& table, Changes& changes,
            std::uint64_t at)
        : format_(format),
          table_(table),
          told_apart_(table.columns_told_apart.load(std::memory_order_acquire)),
          changes_(changes),
          at_(at) {}

    void raise_for(RowEvent const& row) {
        if (!row.is_update()) raise(row.is_insert() ? Kind::inserted : Kind::deleted);
        for (std::size_t i = 0; i < format_.columns.size(); ++i) {
            auto const column = static_cast<std::uint16_t>(i);
            Cell const& before = row.before()[i];
            Cell const& after = row.after()[i];
            if (row.is_update() && after.is_present && before != after) raise(Kind::column, column);
            if (i >= 64 || (told_apart_ >> i & 1) == 0) continue;
            raise_value(before, column);
            raise_value(after, column);
            // An update that lacks the value after it did not change that.
            bool const is_known = before.is_present || (row.is_insert() && after.is_present);
            if (!is_known) raise(Kind::other_value, column);
        }
    }

  private:
    void raise(Kind kind, std::uint16_t column = 0, TagValue const& value = {}) {
        changes_.change(RowTag{&table_, kind, column, value}, at_);
    }

    // No response looks for NULL.
    void raise_value(Cell const& cell, std::uint16_t column) {
        if (!cell.value) return;
        auto const value = value_in(cell, format_.columns[column]);
        raise(value ? Kind::value : Kind::other_value, column, value.value_or(TagValue()));
    }

    RowFormat const& format_;
    ChangeLog::Table const& table_;
    std::uint64_t const told_apart_;
    Changes& changes_;
    std::uint64_t const at_;
};

} // namespace

bool raise_tags_of_rows(LogEvent const& event, RowFormat const& format,
                        ChangeLog::Table const& table, Changes& changes, std::uint64_t at) {
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
