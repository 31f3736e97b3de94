#include "db/read/cell_size.hpp"

#include <algorithm>

namespace db {

namespace {

constexpr std::uint32_t longest_number = 72; // or time, or boolean
constexpr std::uint32_t longest_character = 4;

std::optional<std::uint32_t> most_bytes(ColumnType const& column) {
    using enum ColumnType::SqlType;
    switch (column.kind) {
    case varchar:
        return column.size * longest_character;
    case unknown:
    case text:
    case mediumtext:
    case longtext:
    case json:
        return std::nullopt;
    case integer:
    case biginteger:
    case floating:
    case double_floating:
    case decimal:
    case boolean:
    case date:
    case time:
    case datetime:
    case timestamp:
        break;
    }
    return longest_number;
}

} // namespace

std::optional<std::uint32_t> most_bytes(Attribute const& attribute) {
    // A custom field's column may be that of its type, which was read from the database, or the
    // declared one.
    auto const of_type = most_bytes(facts_of(attribute.type).column);
    auto const declared = most_bytes(attribute.column_type);
    return of_type && declared ? std::max(of_type, declared) : std::nullopt;
}

} // namespace db
