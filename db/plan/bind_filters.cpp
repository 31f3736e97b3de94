#include "db/plan/binder.hpp"
#include "db/plan/cast.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cmath>

namespace db {

using parser::Filter;
using parser::Operator;
using Pass = Refusals::Pass;

namespace {

Condition compare(std::string_view column, Comparator comparator, std::vector<Literal> values) {
    return {.kind = Condition::Kind::comparison,
            .column = std::string(column),
            .comparator = comparator,
            .values = std::move(values)};
}

// Not the condition, as under Strapi 4.26's joins: they make one row of an entry and its related
// rows, so
// `$not` around a relation asks for a related row that does not satisfy, rather than for none that
// does. What restricts nothing restricts nothing negated either.
Condition negate(Condition condition) {
    using Kind = Condition::Kind;
    if (condition.always_true()) return condition;
    switch (condition.kind) {
    case Kind::comparison: {
        Condition negation{.kind = Kind::none_of};
        negation.members.push_back(std::move(condition));
        return negation;
    }
    case Kind::none_of:
        return std::move(condition.members[0]);
    case Kind::all_of:
        condition.kind = Kind::any_of;
        break;
    case Kind::any_of:
        condition.kind = Kind::all_of;
        break;
    case Kind::related: {
        Condition all{.members = std::move(condition.members)};
        condition.members = {negate(std::move(all))};
        return condition;
    }
    }
    for (Condition& member : condition.members)
        member = negate(std::move(member));
    return condition;
}

// What stands before and behind the value in a pattern. Wildcards and `\` in the value stay active:
// Strapi 4.26 escapes nothing here.
struct Pattern {
    std::string_view before = {};
    std::string_view behind = {};
};

// What an operator asks of a column.
struct Comparing {
    Comparator comparator;
    std::optional<Comparator> of_null = {}; // instead, if the operand is null
    std::optional<Pattern> pattern = {};    // that the operand is made into
};

constexpr Comparing comparing(Operator op) {
    using enum Comparator;
    constexpr Pattern whole, start{"", "%"}, end{"%", ""}, part{"%", "%"};
    switch (op) {
    case Operator::eq:
        return {eq, is_null};
    case Operator::eqi:
        return {likei, is_null, whole};
    case Operator::ne:
        return {ne, is_not_null};
    case Operator::nei:
        return {not_likei, is_not_null, whole};
    case Operator::lt:
        return {lt};
    case Operator::lte:
        return {lte};
    case Operator::gt:
        return {gt};
    case Operator::gte:
        return {gte};
    case Operator::in:
        return {in};
    case Operator::not_in:
        return {not_in};
    case Operator::between:
        return {between};
    case Operator::contains:
        return {like, {}, part};
    case Operator::not_contains:
        return {not_like, {}, part};
    case Operator::containsi:
        return {likei, {}, part};
    case Operator::not_containsi:
        return {not_likei, {}, part};
    case Operator::starts_with:
        return {like, {}, start};
    case Operator::starts_withi:
        return {likei, {}, start};
    case Operator::ends_with:
        return {like, {}, end};
    case Operator::ends_withi:
        return {likei, {}, end};
    case Operator::null:
        return {is_null};
    case Operator::not_null:
        return {is_not_null};
    case Operator::json_superset_of:
        return {json_contains};
    }
    return {eq};
}

// MySQL takes a text with a number beyond those of a double for no JSON.
bool has_finite_numbers(boost::json::value const& json) {
    if (auto const* number = json.if_double()) return std::isfinite(*number);
    if (auto const* list = json.if_array()) return std::ranges::all_of(*list, has_finite_numbers);
    if (auto const* object = json.if_object())
        return std::ranges::all_of(
            *object, [](auto const& member) { return has_finite_numbers(member.value()); });
    return true;
}

bool is_comparison(Filter const& filter) {
    return filter.kind == Filter::Kind::comparison;
}

// What `_q` looks at: texts, and numbers for what reads as one.
bool is_searched(ScalarClass scalar, bool numeric) {
    switch (scalar) {
    case ScalarClass::text:
        return true;
    case ScalarClass::integer:
    case ScalarClass::biginteger:
    case ScalarClass::number:
        return numeric;
    case ScalarClass::none:
    case ScalarClass::boolean:
    case ScalarClass::date:
    case ScalarClass::time:
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
    case ScalarClass::json:
        break;
    }
    return false;
}

} // namespace

Condition Binder::filters(Filter const& filter, ContentType const& type) {
    refusals_.begin_parameter();
    if (filter.invalid) refusals_.value(*filter.invalid);
    // A list at the root works where Strapi 4.26 adds a locale condition beside it, and only there.
    if (filter.is_list && !type.localized) wrong("conditions by attribute");
    return entry_condition(filter, type);
}

Condition Binder::entry_condition(Filter const& filter, ContentType const& type) {
    Condition all;
    for (Filter const& member : filter.members) {
        At const at(*this, member.key);
        require(all, entry_member(member, type));
    }
    return all;
}

Condition Binder::entry_member(Filter const& member, ContentType const& type) {
    if (member.invalid && member.kind != Filter::Kind::name) refusals_.value(*member.invalid);
    switch (member.kind) {
    case Filter::Kind::name:
        return name_condition(member, type);
    case Filter::Kind::all_of:
        return entry_condition(member, type);
    case Filter::Kind::none_of:
        return negate(entry_condition(member, type));
    case Filter::Kind::any_of: {
        Condition any{.kind = Condition::Kind::any_of};
        for (Filter const& alternative : member.members)
            any.members.push_back(entry_condition(alternative, type));
        // An alternative that was dropped or is empty restricts nothing, as in the reference.
        std::erase_if(any.members, [](Condition const& c) { return c.always_true(); });
        return any.members.empty() ? Condition{} : any;
    }
    case Filter::Kind::comparison:
        wrong("an attribute to compare");
        break;
    }
    return {};
}

Condition Binder::name_condition(Filter const& member, ContentType const& type) {
    if (member.key == "id") {
        if (member.invalid) refusals_.value(*member.invalid);
        return scalar_condition("id", AttributeType::string, true, member, type);
    }
    Attribute const* attribute = type.find(member.key);
    if (!attribute) {
        // A column's name passes for its attribute's, and then restricts nothing.
        if (type.find_by_column(member.key))
            ignored(member.key);
        else
            refuse(Pass::unknown, member.key);
        return {};
    }
    if (attribute->type == AttributeType::dynamic_zone)
        refuse(Pass::zone, member.key);
    else if (attribute->is_polymorphic())
        refuse(Pass::morph, member.key);
    if (attribute->is_hidden())
        refuse(Pass::hidden, member.key);
    else if (!is_permitted(*attribute))
        refuse(Pass::unpermitted, member.key);
    if (member.invalid) refusals_.value(*member.invalid);
    if (attribute->is_scalar())
        return scalar_condition(attribute->column, attribute->type, false, member, type);
    return attribute->target ? related_condition(*attribute, member) : Condition{};
}

Condition Binder::scalar_condition(std::string_view column, AttributeType type, bool is_id,
                                   Filter const& filter, ContentType const& owner) {
    Condition all;
    for (Filter const& member : filter.members) {
        At const at(*this, member.key);
        if (is_comparison(member) && member.members.empty()) {
            require(all, comparison(column, type, member));
        } else if (is_comparison(member)) {
            // An object for an operand: its names are dropped as those beside the operators are.
            if (std::ranges::any_of(member.members, is_comparison)) wrong("a value");
            scalar_condition(column, type, is_id, member, owner);
        } else if (member.kind == Filter::Kind::none_of) {
            require(all, negate(scalar_condition(column, type, is_id, member, owner)));
        } else if (member.kind == Filter::Kind::all_of && member.key.empty()) {
            require(all, scalar_condition(column, type, is_id, member, owner)); // one of a list
        } else if (member.kind != Filter::Kind::name) {
            wrong("an operator and its value");
        } else if (is_id) {
            refuse(Pass::unknown, member.key);
        } else if (owner.find(member.key)) {
            wrong("an operator");
        } else {
            ignored(member.key);
        }
    }
    return all;
}

Condition Binder::related_condition(Attribute const& attribute, Filter const& filter) {
    if (!enter_hop()) return {};
    Condition condition = related_value(*attribute.target, filter);
    --hops_;
    if (condition.always_true()) return {};
    Condition related{.kind = Condition::Kind::related};
    related.members.push_back(std::move(condition));
    related.link = &attribute.link;
    related.target = attribute.target;
    return related;
}

// Either conditions on attributes of the target or one operator on its id.
Condition Binder::related_value(ContentType const& target, Filter const& filter) {
    bool const on_id = std::ranges::any_of(filter.members, is_comparison);
    if (on_id && filter.members.size() > 1) wrong("one operator, or attributes");
    Condition all;
    for (Filter const& member : filter.members) {
        bool const negated = member.kind == Filter::Kind::none_of;
        if (is_comparison(member) ||
            (negated && std::ranges::all_of(member.members, is_comparison))) {
            Filter const id{.kind = Filter::Kind::name, .key = "id", .members = {member}};
            require(all, scalar_condition("id", AttributeType::string, true, id, target));
            continue;
        }
        At const at(*this, member.key);
        require(all, entry_member(member, target));
        if (negated) wrong("a value");
    }
    return all;
}

Condition Binder::comparison(std::string_view column, AttributeType type, Filter const& filter) {
    if (filter.invalid) {
        refusals_.value(*filter.invalid);
        return {};
    }
    if (over(filter.values.size() > limits_.list_values, &parser::Limits::list_values)) return {};
    count_term();
    if (parser::row_of(filter.op).takes_list) return compare_list(column, type, filter);
    if (!filter.is_list) return compare_one(column, type, filter.op, filter.values.front());
    Condition any{.kind = Condition::Kind::any_of};
    for (parser::Value const& value : filter.values)
        any.members.push_back(compare_one(column, type, filter.op, value));
    return any;
}

Condition Binder::compare_one(std::string_view column, AttributeType type, Operator op,
                              parser::Value const& value) {
    auto const [comparator, of_null, pattern] = comparing(op);
    if (comparator == Comparator::is_null || comparator == Comparator::is_not_null) {
        bool const is_null =
            cast_boolean(value.value_or("")) == (comparator == Comparator::is_null);
        return compare(column, is_null ? Comparator::is_null : Comparator::is_not_null, {});
    }
    if (comparator == Comparator::json_contains) return contains_json(column, type, value);
    if (!value && of_null) return compare(column, *of_null, {});
    if (!pattern) return compare(column, comparator, {literal(type, value)});
    // JavaScript writes null into the pattern as text.
    std::string text(pattern->before);
    text.append(value.value_or("null")).append(pattern->behind);
    return compare(column, comparator, {Literal(std::move(text))});
}

// Strapi 4.26 writes JSON_CONTAINS, which finds nothing in a column that holds no JSON.
Condition Binder::contains_json(std::string_view column, AttributeType type,
                                parser::Value const& value) {
    if (type != AttributeType::json || !value) return compare(column, Comparator::in, {});
    boost::system::error_code error;
    auto const json = boost::json::parse(*value, error);
    if (error || !has_finite_numbers(json)) wrong("JSON");
    return compare(column, Comparator::json_contains, {Literal(*value)});
}

Condition Binder::compare_list(std::string_view column, AttributeType type, Filter const& filter) {
    if (filter.op == Operator::between && filter.values.size() != 2) {
        wrong("a list of two values");
        return {};
    }
    std::vector<Literal> values;
    values.reserve(filter.values.size());
    for (parser::Value const& value : filter.values)
        values.push_back(literal(type, value));
    return compare(column, comparing(filter.op).comparator, std::move(values));
}

Literal Binder::literal(AttributeType type, parser::Value const& value) {
    if (!value) return {};
    auto result = cast(type, *value, {});
    if (result) return *std::move(result);
    // Only now is the place worth writing out.
    refusals_.value(cast(type, *value, place()).error());
    return {};
}

Condition Binder::search(std::string_view text, ContentType const& type) {
    if (text.empty()) return {};
    std::string escaped = "%";
    for (char const c : text) {
        if (c == '*' || c == '%' || c == '\\') escaped += '\\';
        escaped += c;
    }
    escaped += '%';
    bool const numeric = cast(AttributeType::floating, text, {}).has_value();
    Condition any{.kind = Condition::Kind::any_of};
    any.members.push_back(compare("id", Comparator::like, {Literal(escaped)}));
    for (Attribute const& attribute : type.attributes) {
        if (!attribute.searchable || attribute.is_hidden() ||
            !is_searched(attribute.scalar(), numeric))
            continue;
        any.members.push_back(compare(attribute.column, Comparator::like, {Literal(escaped)}));
    }
    return any;
}

Condition Binder::locale(parser::Query const& query, ContentType const& type) {
    if (query.all_locales) return {};
    if (!query.locale) return compare("locale", Comparator::eq, {Literal(options_.default_locale)});
    At const at(*this, "locale");
    if (is_comparison(*query.locale))
        return comparison("locale", AttributeType::string, *query.locale);
    return scalar_condition("locale", AttributeType::string, false, *query.locale, type);
}

void Binder::count_term() {
    over(++terms_ > limits_.filter_terms, &parser::Limits::filter_terms);
}

bool Binder::enter_hop() {
    if (over(++hops_ > limits_.filter_hops, &parser::Limits::filter_hops)) {
        --hops_;
        return false;
    }
    return true;
}

} // namespace db
