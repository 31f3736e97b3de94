#include "db/import/comparison.hpp"

#include "db/import/cells.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace db {

namespace {

using Kind = ColumnType::Kind;

constexpr std::size_t rows_of_a_statement = 100;

// Appends an expression that is 1 if the column has the value: the same bytes for texts, whatever
// the collation; the same value for everything else.
void add_equality(SqlText& sql, Attribute const& attribute, SqlText const& literal,
                  bool is_mariadb) {
    auto const both = [&](SqlPiece before, SqlPiece after) {
        ((sql << before).name(attribute.column) << after << " <=> ") << before << literal << after;
    };
    auto const literal_as = [&](SqlPiece type) {
        (sql.name(attribute.column) << " <=> CAST(") << literal << " AS " << type << ")";
    };
    switch (attribute.column_type.kind) {
    case Kind::json:
        if (is_mariadb) return both("JSON_COMPACT(", ")");
        return literal_as("JSON");
    case Kind::date:
        return literal_as("DATE");
    case Kind::time:
        return literal_as("TIME(3)");
    case Kind::datetime:
    case Kind::timestamp:
        return literal_as("DATETIME(6)");
    case Kind::varchar:
    case Kind::text:
    case Kind::mediumtext:
    case Kind::longtext:
        return both("CAST(", " AS BINARY)");
    case Kind::unknown:
    case Kind::integer:
    case Kind::biginteger:
    case Kind::floating:
    case Kind::double_floating:
    case Kind::decimal:
    case Kind::boolean:
        break;
    }
    sql.name(attribute.column) << " <=> " << literal;
}

void add_comparison(SqlText& sql, Record const& record, std::size_t index, bool is_mariadb) {
    auto const& attribute = record.attribute(index);
    auto const& literal = record.values[index];
    bool const is_component = record.type->kind == ContentType::Kind::component;
    auto const is_implicit = [&](std::string_view name) {
        return !is_component && attribute.name == name;
    };
    if (!literal.empty()) return add_equality(sql, attribute, literal, is_mariadb);
    if (is_implicit("createdAt") || is_implicit("updatedAt") ||
        is_credential(*record.type, attribute))
        sql << "1";
    else if (is_implicit("publishedAt"))
        sql.name(attribute.column) << " IS NOT NULL";
    else
        sql.name(attribute.column) << " IS NULL";
}

// Selects for each entry its number, then for each scalar whether it is equal.
SqlText select_comparisons(std::vector<Stored> const& entries, std::size_t first, std::size_t last,
                           bool is_mariadb) {
    SqlText sql;
    for (std::size_t i = first; i < last; ++i) {
        auto const& record = *entries[i].record;
        if (i > first) sql << " UNION ALL ";
        (sql << "SELECT ").integer(std::uint64_t{i});
        for (std::size_t index = 0; index < record.values.size(); ++index)
            if (record.attribute(index).is_scalar())
                add_comparison(sql << ", ", record, index, is_mariadb);
        ((sql << " FROM ").name(record.type->table) << " WHERE `id` = ").integer(entries[i].id);
    }
    return sql;
}

parser::Result<void> compare_values(Connection& connection, std::vector<Stored> const& entries,
                                    std::size_t first, std::size_t last, Comparison& comparison) {
    auto rows = connection.query(select_comparisons(entries, first, last, connection.is_mariadb()));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const& stored = entries[integer_cell(rows->text(0))];
        unsigned column = 1;
        for (auto const& attribute : stored.record->type->attributes)
            if (attribute.is_scalar() && rows->text(column++) != "1")
                comparison.differences.push_back({stored, attribute.name});
    }
    return {};
}

// A component of an entry, as the table of components lists it.
struct StoredPart {
    std::uint64_t id;
    std::string type;
};
// The keys are an entry's id and a field.
using StoredParts = std::map<std::pair<std::uint64_t, std::string>, std::vector<StoredPart>>;

parser::Result<StoredParts> read_parts(Connection& connection, std::vector<Stored> const& entries,
                                       Link const& link, std::size_t first, std::size_t last) {
    SqlText sql;
    (sql << "SELECT `entity_id`, `field`, ").name(link.target_column) << ", `component_type` FROM ";
    sql.name(link.table) << " WHERE `entity_id` IN (";
    for (std::size_t i = first; i < last; ++i)
        (i > first ? sql << ", " : sql).integer(entries[i].id);
    sql << ") ORDER BY `entity_id`, `field`, `order`, `id`";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    StoredParts parts;
    while (rows->next()) {
        auto const entry = integer_cell(rows->text(0));
        std::string field(rows->text(1));
        auto const id = integer_cell(rows->text(2));
        parts[{entry, std::move(field)}].push_back({id, std::string(rows->text(3))});
    }
    return parts;
}

using Matched = std::map<ContentType const*, std::vector<Stored>>;

// Pairs the components of one entry with the stored ones, by their position in the list.
void match_parts(Stored const& entry, StoredParts const& stored, Matched& matched,
                 Comparison& comparison) {
    static std::vector<Record> const none;
    auto const& record = *entry.record;
    for (std::size_t index = 0; index < record.type->attributes.size(); ++index) {
        auto const& attribute = record.attribute(index);
        if (!is_part(attribute)) continue;
        auto const given = std::ranges::find(record.parts, index, &Record::Parts::attribute);
        auto const& wanted = given == record.parts.end() ? none : given->records;
        auto const found = stored.find({entry.id, attribute.name});
        std::size_t const size = found == stored.end() ? 0 : found->second.size();
        bool is_same = wanted.size() == size;
        for (std::size_t i = 0; is_same && i < size; ++i) {
            auto const& part = found->second[i];
            is_same =
                part.type == wanted[i].type->uid && (wanted[i].id == 0 || wanted[i].id == part.id);
        }
        if (!is_same) comparison.differences.push_back({entry, attribute.name});
        for (std::size_t i = 0; is_same && i < size; ++i)
            matched[wanted[i].type].push_back(
                {&wanted[i], found->second[i].id, entry.place, entry.entry});
    }
}

parser::Result<void> compare(Connection& connection, std::vector<Stored> const& entries,
                             Comparison& comparison) {
    comparison.rows.insert(comparison.rows.end(), entries.begin(), entries.end());
    auto const& type = *entries.front().record->type;
    auto const with_parts = std::ranges::find_if(type.attributes, is_part);
    Matched matched;
    for (std::size_t first = 0; first < entries.size(); first += rows_of_a_statement) {
        auto const last = std::min(entries.size(), first + rows_of_a_statement);
        auto compared = compare_values(connection, entries, first, last, comparison);
        if (!compared) return compared;
        if (with_parts == type.attributes.end()) continue;
        auto const parts = read_parts(connection, entries, with_parts->link, first, last);
        if (!parts) return parts.error();
        for (std::size_t i = first; i < last; ++i)
            match_parts(entries[i], *parts, matched, comparison);
    }
    for (auto const& [component, parts] : matched)
        if (auto compared = compare(connection, parts, comparison); !compared) return compared;
    return {};
}

} // namespace

parser::Result<Comparison> compare(Connection& connection, std::vector<Stored> const& entries) {
    Comparison comparison;
    if (entries.empty()) return comparison;
    if (auto compared = compare(connection, entries, comparison); !compared)
        return compared.error();
    return comparison;
}

} // namespace db
