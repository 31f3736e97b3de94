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
    not_starts_with, // Strapi has none
    ends_with,
    ends_withi,
    null,
    not_null,
    json_superset_of,
};

// What the reader needs to know of an operator. What the operator requires of a column is in
// db/plan/bind_comparison.cpp, and its description for clients in fcgi/openapi/parameters.cpp:
// neither compiles if an operator is missing there.
struct OperatorRow {
    Operator op;
    std::string_view key;
    // The operator's operand is one list. For any other operator, a list means "any of these".
    bool takes_list = false;
    // Strapi 4.26 converts the operand to the attribute's type. For operators that do not convert,
    // a list in a list is flattened.
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

// Finds an operator by its key, case-sensitively. The groups `$and`, `$or`, `$not` are not
// operators.
constexpr std::optional<Operator> find_operator(std::string_view key) {
    for (OperatorRow const& row : operators)
        if (row.key == key) return row.op;
    return std::nullopt;
}

} // namespace parser
