#pragma once

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
    ends_with,
    ends_withi,
    null,
    not_null,
    json_superset_of,
};

// `$eq` and the others, case-sensitive. The groups `$and`, `$or`, `$not` are not among them.
std::optional<Operator> find_operator(std::string_view key);
std::string_view operator_key(Operator op);

// Takes a list as one operand: a list given to any other operator means "any of them".
inline bool takes_list(Operator op) {
    return op == Operator::in || op == Operator::not_in || op == Operator::between;
}

} // namespace parser
