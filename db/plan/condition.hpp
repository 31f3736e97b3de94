#pragma once

#include "db/schema/schema.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace db {

// A value cast to the type of its column, ready to be written into SQL.
using Literal = std::variant<std::monostate, bool, double, std::string>; // monostate: NULL

enum class Comparator : std::uint8_t {
    eq,
    ne,
    lt,
    lte,
    gt,
    gte,
    in,
    not_in,
    between,
    is_null,
    is_not_null,
    like, // the value is the whole pattern, with `%` and `_`
    not_like,
    likei, // LOWER(column) LIKE LOWER(value): Strapi's `…i` operators
    not_likei,
    eqi, // LOWER(column) = LOWER(value): `$eqi` of Strapi 5
    nei,
    json_contains, // JSON_CONTAINS(column, value)
    never,         // false for any value; without values
};

// A condition on a row. `related` requires one related row that satisfies all members; an entry
// without related rows counts as having one whose columns are all NULL, as under Strapi's LEFT
// JOINs. `version` requires a row of the same document that satisfies all members and to which this
// row's `column`, if there is one, compares as `comparator` says.
struct Condition {
    enum class Kind : std::uint8_t { all_of, any_of, none_of, comparison, related, version };

    Kind kind = Kind::all_of; // without members: true (any_of without members: false)
    std::vector<Condition> members = {};

    std::string column = {}; // of a comparison; a name from the schema
    Comparator comparator = Comparator::eq;
    std::vector<Literal> values = {};

    Link const* link = nullptr; // of `related`
    ContentType const* target = nullptr;
    bool of_any_locale = true; // of `version`

    bool always_true() const { return kind == Kind::all_of && members.empty(); }
};

// The truth of a condition on a row whose columns are all NULL, in SQL's three values.
enum class Truth : std::uint8_t { no, unknown, yes };
Truth on_nulls(Condition const& condition);

// Adds a condition to those that must all hold, keeping them flat.
void require(Condition& all, Condition condition);

} // namespace db
