#include "db/binlog/journal.hpp"

#include "db/binlog/bytes.hpp"
#include "db/binlog/row_event.hpp"

#include <tuple>

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

} // namespace

bool Journal::Order::operator()(RowTag const& left, RowTag const& right) const {
    auto const key = [](RowTag const& tag) {
        return std::tuple(tag.table, tag.kind, tag.column,
                          std::string_view(tag.value.data(), tag.value.size()));
    };
    return key(left) < key(right);
}

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

} // namespace db
