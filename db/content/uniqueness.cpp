#include "db/content/uniqueness.hpp"

#include "db/content/cells.hpp"

#include <algorithm>

namespace db {

namespace {

// Selects each row that has the value of one with a lower id: its id, the other's id, the value.
SqlText select_repetitions(ContentType const& type, Attribute const& attribute,
                           EntryRules const& rules) {
    bool const is_by_row = !rules.published_are_unique;
    bool const is_by_locale = !is_by_row && type.localized;
    SqlText condition;
    condition.name(attribute.column) << " IS NOT NULL";
    if (!is_by_row && type.draft_and_publish) condition << " AND `published_at` IS NOT NULL";
    if (!is_by_row && attribute.scalar() == ScalarClass::text)
        (condition << " AND ").name(attribute.column) << " <> ''";

    SqlText sql;
    (sql << "SELECT r.`id`, f.`first`, r.").name(attribute.column) << " FROM (SELECT * FROM ";
    sql.name(type.table) << " WHERE " << condition << ") r JOIN (SELECT MIN(`id`) AS `first`, ";
    sql.name(attribute.column) << " AS `value`";
    if (is_by_locale) sql << ", `locale`";
    (sql << " FROM ").name(type.table) << " WHERE " << condition << " GROUP BY ";
    sql.name(attribute.column);
    if (is_by_locale) sql << ", `locale`";
    (sql << " HAVING COUNT(*) > 1) f ON r.").name(attribute.column) << " = f.`value`";
    if (is_by_locale) sql << " AND r.`locale` <=> f.`locale`";
    return sql << " WHERE r.`id` <> f.`first` ORDER BY r.`id`";
}

} // namespace

void Uniqueness::take(ContentType const& type, std::uint64_t id, Origin const& place) {
    auto const [found, is_new] = types_.try_emplace(&type);
    auto& [attributes, places] = found->second;
    if (is_new) attributes = constraints_.unique(type);
    if (attributes.empty()) return;
    auto file = std::ranges::find(files_, place.file);
    if (file == files_.end()) file = files_.insert(file, place.file);
    places.push_back({id, static_cast<std::uint32_t>(file - files_.begin()),
                      static_cast<std::uint32_t>(place.line)});
}

parser::Result<void> Uniqueness::check() {
    for (auto& [type, taken] : types_) {
        std::ranges::stable_sort(taken.places, {}, &Place::id);
        for (auto const* attribute : taken.attributes)
            if (auto checked = check(*type, taken, *attribute); !checked) return checked;
    }
    return {};
}

Uniqueness::Place const* Uniqueness::find(Type const& type, std::uint64_t id) {
    auto const found = std::ranges::lower_bound(type.places, id, {}, &Place::id);
    return found == type.places.end() || found->id != id ? nullptr : &*found;
}

parser::Result<void> Uniqueness::check(ContentType const& type, Type const& taken,
                                       Attribute const& attribute) {
    auto rows = connection_.query(select_repetitions(type, attribute, constraints_.entry_rules()));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = integer_cell(rows->text(0));
        auto const first = integer_cell(rows->text(1));
        auto const* own = find(taken, id);
        auto const* place = own ? own : find(taken, first);
        if (!place) continue;
        auto const other = place == own ? first : id;
        mistakes_.add(
            {files_[place->file], place->line},
            parser::invalid_value(attribute.name, "a value of its own", rows->text(2)).message +
                ", which " + type.uid + ' ' + std::to_string(other) + " has");
    }
    return {};
}

} // namespace db
