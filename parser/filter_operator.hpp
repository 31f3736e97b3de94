#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parser {

enum class Operator : std::uint8_t {
    eq,
    eqi,
    ne,
    nei,
    lt,
    lte,
    gt,
    gte,
    in,
    not_in,
    between,
    contains,
    not_contains,
    containsi,
    not_containsi,
    starts_with,
    starts_withi,
    not_starts_with, // not of Strapi
    ends_with,
    ends_withi,
    null,
    not_null,
    json_superset_of,
};

// What reading has to know of an operator. What it asks of a column is in
// db/plan/bind_comparison.cpp, what clients are told of it in fcgi/openapi/questions.cpp: neither
// compiles without all of these.
struct OperatorRow {
    Operator op;
    std::string_view key;
    // A list is its one operand. Given to any other operator, a list means "any of them".
    bool takes_list = false;
    // Strapi 4.26 turns the operand into a value of the attribute's type. To the others a list in a
    // list is more of the same.
    bool casts = false;
};

inline constexpr auto operators = std::to_array<OperatorRow>({
    {Operator::eq, "$eq", false, true},
    {Operator::eqi, "$eqi"},
    {Operator::ne, "$ne", false, true},
    {Operator::nei, "$nei"},
    {Operator::lt, "$lt", false, true},
    {Operator::lte, "$lte", false, true},
    {Operator::gt, "$gt", false, true},
    {Operator::gte, "$gte", false, true},
    {Operator::in, "$in", true, true},
    {Operator::not_in, "$notIn", true, true},
    {Operator::between, "$between", true, true},
    {Operator::contains, "$contains"},
    {Operator::not_contains, "$notContains"},
    {Operator::containsi, "$containsi"},
    {Operator::not_containsi, "$notContainsi"},
    {Operator::starts_with, "$startsWith"},
    {Operator::starts_withi, "$startsWithi"},
    {Operator::not_starts_with, "$notStartsWith"},
    {Operator::ends_with, "$endsWith"},
    {Operator::ends_withi, "$endsWithi"},
    {Operator::null, "$null"},
    {Operator::not_null, "$notNull"},
    {Operator::json_superset_of, "$jsonSupersetOf"},
});

constexpr OperatorRow const& row_of(Operator op) {
    return operators[static_cast<std::size_t>(op)];
}
static_assert(
    [] {
        for (std::size_t i = 0; i < operators.size(); ++i)
            if (operators[i].op != static_cast<Operator>(i)) return false;
        return true;
    }(),
    "a row for each operator, in their order");

// By its key, case-sensitive. The groups `$and`, `$or`, `$not` are not among them.
constexpr std::optional<Operator> find_operator(std::string_view key) {
    for (OperatorRow const& row : operators)
        if (row.key == key) return row.op;
    return std::nullopt;
}

} // namespace parser
