#include "parser/filter_operator.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parser {

namespace {

using Entry = std::pair<std::string_view, Operator>;

constexpr std::array<Entry, 22> operators = {{
    {"$eq", Operator::eq},
    {"$eqi", Operator::eqi},
    {"$ne", Operator::ne},
    {"$nei", Operator::nei},
    {"$lt", Operator::lt},
    {"$lte", Operator::lte},
    {"$gt", Operator::gt},
    {"$gte", Operator::gte},
    {"$in", Operator::in},
    {"$notIn", Operator::not_in},
    {"$between", Operator::between},
    {"$contains", Operator::contains},
    {"$notContains", Operator::not_contains},
    {"$containsi", Operator::containsi},
    {"$notContainsi", Operator::not_containsi},
    {"$startsWith", Operator::starts_with},
    {"$startsWithi", Operator::starts_withi},
    {"$endsWith", Operator::ends_with},
    {"$endsWithi", Operator::ends_withi},
    {"$null", Operator::null},
    {"$notNull", Operator::not_null},
    {"$jsonSupersetOf", Operator::json_superset_of},
}};

} // namespace

std::optional<Operator> find_operator(std::string_view key) {
    auto const found = std::ranges::find(operators, key, &Entry::first);
    if (found == operators.end()) return std::nullopt;
    return found->second;
}

std::string_view operator_key(Operator op) {
    return std::ranges::find(operators, op, &Entry::second)->first;
}

} // namespace parser
