#include "db/import/uniqueness.hpp"

#include "db/import/cells.hpp"

namespace db {

namespace {

// Each row that has the value of one with a lower id: its id, the other's, the value.
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
    if (!attributes.empty()) places.emplace(id, place);
}

parser::Result<void> Uniqueness::check() {
    for (auto const& [type, taken] : types_)
        for (auto const* attribute : taken.attributes)
            if (auto checked = check(*type, *attribute); !checked) return checked;
    return {};
}

parser::Result<void> Uniqueness::check(ContentType const& type, Attribute const& attribute) {
    auto rows = connection_.query(select_repetitions(type, attribute, constraints_.entry_rules()));
    if (!rows) return rows.error();
    auto const& places = types_.at(&type).places;
    while (rows->next()) {
        auto const id = integer_cell(rows->text(0));
        auto const first = integer_cell(rows->text(1));
        auto const own = places.find(id);
        auto const place = own != places.end() ? own : places.find(first);
        if (place == places.end()) continue;
        auto const other = place == own ? first : id;
        mistakes_.add(
            place->second,
            parser::invalid_value(attribute.name, "a value of its own", rows->text(2)).message +
                ", which " + type.uid + ' ' + std::to_string(other) + " has");
    }
    return {};
}

} // namespace db
