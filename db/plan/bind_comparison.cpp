#include "db/plan/bind_passes.hpp"

#include "db/plan/cast.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace db {

using parser::Filter;
using parser::Operator;
using parser::QueryPlace;

namespace {

// The text before and after the value in a pattern. Wildcards and `\` in the value stay active
// unless the rules say otherwise.
struct Pattern {
    std::string_view before = {};
    std::string_view behind = {};
};

// How an operator compares a column.
struct Comparing {
    Comparator comparator;
    std::optional<Comparator> of_null = {}; // used instead if the operand is null
    std::optional<Pattern> pattern = {};    // the pattern that the operand is put into
};

constexpr Pattern is_pattern, starts_pattern{"", "%"}, ends_pattern{"%", ""},
    contains_pattern{"%", "%"};
constexpr std::pair<Operator, Comparing> comparings[] = {
    {Operator::eq, {Comparator::eq, Comparator::is_null}},
    {Operator::eqi, {Comparator::likei, Comparator::is_null, is_pattern}},
    {Operator::ne, {Comparator::ne, Comparator::is_not_null}},
    {Operator::nei, {Comparator::not_likei, Comparator::is_not_null, is_pattern}},
    {Operator::lt, {Comparator::lt}},
    {Operator::lte, {Comparator::lte}},
    {Operator::gt, {Comparator::gt}},
    {Operator::gte, {Comparator::gte}},
    {Operator::in, {Comparator::in}},
    {Operator::not_in, {Comparator::not_in}},
    {Operator::between, {Comparator::between}},
    {Operator::contains, {Comparator::like, {}, contains_pattern}},
    {Operator::not_contains, {Comparator::not_like, {}, contains_pattern}},
    {Operator::containsi, {Comparator::likei, {}, contains_pattern}},
    {Operator::not_containsi, {Comparator::not_likei, {}, contains_pattern}},
    {Operator::starts_with, {Comparator::like, {}, starts_pattern}},
    {Operator::starts_withi, {Comparator::likei, {}, starts_pattern}},
    {Operator::not_starts_with, {Comparator::not_like, {}, starts_pattern}},
    {Operator::ends_with, {Comparator::like, {}, ends_pattern}},
    {Operator::ends_withi, {Comparator::likei, {}, ends_pattern}},
    {Operator::null, {Comparator::is_null}},
    {Operator::not_null, {Comparator::is_not_null}},
    {Operator::json_superset_of, {Comparator::json_contains}},
};
static_assert(std::ranges::equal(comparings, parser::operators, {},
                                 &std::pair<Operator, Comparing>::first, &parser::OperatorRow::op),
              "a row for each operator, in their order");

constexpr Comparing const& comparing(Operator op) {
    return comparings[static_cast<std::size_t>(op)].second;
}

// MySQL does not accept JSON with a number that is beyond those of a double.
bool has_finite_numbers(boost::json::value const& json) {
    if (auto const* number = json.if_double()) return std::isfinite(*number);
    if (auto const* list = json.if_array()) return std::ranges::all_of(*list, has_finite_numbers);
    if (auto const* object = json.if_object())
        return std::ranges::all_of(
            *object, [](auto const& member) { return has_finite_numbers(member.value()); });
    return true;
}

// The scalar whose values are compared, and its place in the query.
struct Scalar {
    std::string_view column;
    AttributeType type;
    QueryPlace const& place;
};

// Whether it is a whole number as BigInt() of JavaScript takes it.
bool is_whole_number(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

void check_number(BindContext& context, Scalar const& scalar, std::string_view text) {
    auto const of = facts_of(scalar.type).scalar;
    bool const is_number = of == ScalarClass::integer || of == ScalarClass::number;
    bool const is_none =
        (is_number && text.empty()) || (of == ScalarClass::biginteger && !is_whole_number(text));
    if (is_none) context.refuse_value(parser::invalid_value(scalar.place.text(), "a number", text));
}

Literal literal(BindContext& context, Scalar const& scalar, parser::Value const& value) {
    if (!value) return {};
    if (context.rules.checks_numbers) check_number(context, scalar, *value);
    if (context.rules.json_is_text && facts_of(scalar.type).scalar == ScalarClass::json)
        return *value;
    auto result = cast(scalar.type, *value, {});
    if (result) return *std::move(result);
    // The place is written out only if there is an error.
    context.refuse_value(cast(scalar.type, *value, scalar.place.text()).error());
    return {};
}

// Strapi 4.26 writes JSON_CONTAINS, which finds nothing in a column that holds no JSON.
Condition contains_json(BindContext& context, Scalar const& scalar, parser::Value const& value) {
    if (scalar.type != AttributeType::json || !value)
        return compare(scalar.column, Comparator::in, {});
    boost::system::error_code error;
    auto const json = boost::json::parse(*value, error);
    if (error || !has_finite_numbers(json)) context.expect("JSON", scalar.place);
    return compare(scalar.column, Comparator::json_contains, {Literal(*value)});
}

Condition compare_one(BindContext& context, Scalar const& scalar, Operator op,
                      parser::Value const& value) {
    auto const& [comparator, of_null, pattern] = comparing(op);
    if (comparator == Comparator::is_null || comparator == Comparator::is_not_null) {
        bool const is_null =
            cast_boolean(value.value_or("")) == (comparator == Comparator::is_null);
        return compare(scalar.column, is_null ? Comparator::is_null : Comparator::is_not_null, {});
    }
    if (comparator == Comparator::json_contains) return contains_json(context, scalar, value);
    if (!value && of_null) return compare(scalar.column, *of_null, {});
    if (!pattern) return compare(scalar.column, comparator, {literal(context, scalar, value)});
    // JavaScript writes null into the pattern as text.
    std::string text = value.value_or("null");
    if (of_null && context.rules.equals_ignoring_case) // $eqi, $nei
        return compare(scalar.column,
                       comparator == Comparator::likei ? Comparator::eqi : Comparator::nei,
                       {Literal(std::move(text))});
    if (context.rules.escapes_patterns) text = escaped(text, "%_\\");
    text.insert(0, pattern->before).append(pattern->behind);
    return compare(scalar.column, comparator, {Literal(std::move(text))});
}

Condition compare_list(BindContext& context, Scalar const& scalar, Operator op,
                       std::vector<parser::Value> const& values) {
    if (op == Operator::between && values.size() != 2) {
        context.expect("a list of two values", scalar.place);
        return {};
    }
    std::vector<Literal> literals;
    literals.reserve(values.size());
    for (parser::Value const& value : values)
        literals.push_back(literal(context, scalar, value));
    return compare(scalar.column, comparing(op).comparator, std::move(literals));
}

} // namespace

std::string escaped(std::string_view text, std::string_view signs) {
    std::string result;
    for (char const c : text) {
        if (signs.find(c) != signs.npos) result += '\\';
        result += c;
    }
    return result;
}

Condition compare(std::string_view column, Comparator comparator, std::vector<Literal> values) {
    return {.kind = ConditionKind::comparison,
            .column = std::string(column),
            .comparator = comparator,
            .values = std::move(values)};
}

Condition bind_comparison(BindContext& context, std::string_view column, AttributeType type,
                          Filter const& filter, QueryPlace const& place) {
    auto const& values = context.use(filter.values);
    if (filter.values.error()) return {};
    parser::Limits const& limits = context.limits;
    if (context.is_over(values.size() > limits.list_values, &parser::Limits::list_values))
        return {};
    context.is_over(++context.terms > limits.filter_terms, &parser::Limits::filter_terms);
    Scalar const scalar{column, type, place};
    if (parser::row_of(filter.op).takes_list)
        return compare_list(context, scalar, filter.op, values);
    if (!filter.is_list) return compare_one(context, scalar, filter.op, values.front());
    Condition any{.kind = ConditionKind::any_of};
    for (parser::Value const& value : values)
        any.members.push_back(compare_one(context, scalar, filter.op, value));
    return any;
}

} // namespace db
