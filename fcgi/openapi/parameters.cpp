#include "fcgi/openapi/schemas.hpp"
#include "parser/filter_operator.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>

// Schemas of queries: the names for `fields`, `filters`, `sort` and `populate`.

namespace fcgi {

using db::Attribute;
using db::AttributeType;
using db::ContentType;
using parser::Operator;

namespace {

struct OperatorSchema {
    Operator op;
    OperatorGroup group;
    std::string_view description;
    bool is_equality = false; // see db::BindingRules::equals_ignoring_case
};
constexpr OperatorSchema operator_schemas[] = {
    {Operator::eq, equality, "is"},
    {Operator::ne, equality, "is not; never true for null"},
    {Operator::in, equality, "is one of"},
    {Operator::not_in, equality, "is none of; never true for null"},
    {Operator::null, equality, "has no value"},
    {Operator::not_null, equality, "has a value"},
    {Operator::lt, order, "is less than"},
    {Operator::lte, order, "is at most"},
    {Operator::gt, order, "is greater than"},
    {Operator::gte, order, "is at least"},
    {Operator::between, order, "is between two values, both included"},
    {Operator::eqi, pattern, "is, in any letter case", true},
    {Operator::nei, pattern, "is not, in any letter case", true},
    {Operator::contains, pattern, "contains this text"},
    {Operator::not_contains, pattern, "does not contain this text"},
    {Operator::containsi, pattern, "contains this text, in any letter case"},
    {Operator::not_containsi, pattern, "does not contain this text, in any letter case"},
    {Operator::starts_with, pattern, "starts with this text"},
    {Operator::starts_withi, pattern, "starts with this text, in any letter case"},
    {Operator::not_starts_with, pattern, "does not start with this text"},
    {Operator::ends_with, pattern, "ends with this text"},
    {Operator::ends_withi, pattern, "ends with this text, in any letter case"},
    {Operator::json_superset_of, superset, "contains all of this JSON"},
};

static_assert(std::ranges::is_permutation(operator_schemas, parser::operators, {},
                                          &OperatorSchema::op, &parser::OperatorRow::op),
              "a description for each operator");

json::object options_of(json::object properties) {
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

json::object operand_schema(Operator op, OperatorGroup group, json::object const& value) {
    if (op == Operator::null || op == Operator::not_null) return {{"type", "boolean"}};
    if (op == Operator::between) {
        json::object two = list_of(value);
        two["minItems"] = two["maxItems"] = 2;
        return two;
    }
    if (parser::row_of(op).takes_list) return list_of(value);
    if (group == pattern) return {{"type", "string"}};
    return group == equality ? or_null(value) : value;
}

// The schema of a value, a list of values of which one must match, or operators that all must.
json::object filter_schema(json::object const& value, unsigned groups,
                           db::BindingRules const& rules) {
    json::object operators;
    for (auto const& [op, group, meaning, is_equality] : operator_schemas) {
        if (!(groups & group)) continue;
        json::object operand = operand_schema(op, group, value);
        std::string description(meaning);
        if (is_equality && !rules.equals_ignoring_case) description += "; % and _ are wildcards";
        operand["description"] = std::move(description);
        operators[parser::row_of(op).key] = std::move(operand);
    }
    json::object negated = options_of(operators);
    negated["description"] = "conditions that must not hold";
    operators["$not"] = std::move(negated);
    return {
        {"anyOf", json::array{or_null(value), list_of(value), options_of(std::move(operators))}}};
}

json::object attribute_filter(Schemas& schemas, ContentType const& type,
                              Attribute const& attribute) {
    if (attribute.target) {
        // Of a related type `$not` is refused, and so is a group with anything beside it.
        json::object related = schemas.ref(*attribute.target, Facet::filters);
        json::array refused{json::object{{"required", json::array{"$not"}}}};
        for (char const* group : {"$and", "$or"})
            refused.push_back({{"required", json::array{group}}, {"minProperties", 2}});
        related["not"] = {{"anyOf", std::move(refused)}};
        return {{"anyOf", json::array{Schemas::ref("IdFilter"), std::move(related)}}};
    }
    if (attribute.type != AttributeType::enumeration || attribute.values.empty())
        return Schemas::ref(std::string(schema_of(attribute.scalar()).filter) + "Filter");
    json::object const values{
        {"enum", json::array(attribute.values.begin(), attribute.values.end())}};
    std::string const name = schemas.name(type) + pascal_case(attribute.name) + "Value";
    return filter_schema(schemas.add(name, values), equality, schemas.rules());
}

// Conditions and sorting cannot lead through zones and polymorphic relations.
bool leads_on(Attribute const& attribute) {
    return !attribute.is_hidden() && (attribute.is_scalar() || attribute.target) &&
           !attribute.is_polymorphic();
}

// They select among the rows of each parent.
void add_window(json::object& options) {
    add_members(options, R"json({
"start": {"type": "integer", "minimum": 0, "description": "number of entries to skip for each parent"},
"limit": {"type": "integer", "minimum": -1, "description": "maximum number of entries for each parent; -1 and 0: all"}
})json");
}

json::object without_window(json::object options) {
    options["not"] = {{"anyOf", json::array{json::object{{"required", json::array{"start"}}},
                                            json::object{{"required", json::array{"limit"}}}}}};
    return options;
}

json::object on_schema(Schemas& schemas, Attribute const& attribute) {
    json::object fragments;
    for (ContentType const* target : schemas.targets(attribute))
        fragments[target->uid] = {
            {"anyOf", json::array{json::object{{"type", "boolean"}},
                                  without_window(schemas.ref(*target, Facet::options))}}};
    json::object on = options_of(std::move(fragments));
    on["description"] =
        "only these types, each with its own options; the options beside this one have no effect";
    return on;
}

// Rows of several types have few options in common.
json::object polymorphic_options(Schemas& schemas, Attribute const& attribute) {
    json::object options = json::parse(schemas.dialect().options).as_object();
    add_members(options, schemas.dialect().polymorphic_options);
    if (schemas.dialect().polymorphic_windows) add_window(options);
    if (attribute.type == AttributeType::dynamic_zone)
        add_members(options, schemas.dialect().zone_options);
    options["on"] = on_schema(schemas, attribute);
    return options_of(std::move(options));
}

} // namespace

json::object field_schema(ContentType const& type) {
    json::array names{"*", "id"};
    for (Attribute const& attribute : type.attributes)
        if (attribute.is_scalar() && !attribute.is_hidden()) names.emplace_back(attribute.name);
    return {{"enum", std::move(names)}};
}

json::object filters_schema(Schemas& schemas, ContentType const& type) {
    json::object const self = schemas.ref(type, Facet::filters);
    json::object properties{{"$and", list_of(self)},
                            {"$or", list_of(self)},
                            {"$not", self},
                            {"id", Schemas::ref("IdFilter")}};
    for (Attribute const& attribute : type.attributes)
        if (leads_on(attribute))
            properties[attribute.name] = attribute_filter(schemas, type, attribute);
    return options_of(std::move(properties));
}

json::object sort_schema(Schemas& schemas, ContentType const& type) {
    json::object properties{{"id", Schemas::ref("Direction")}};
    for (Attribute const& attribute : type.attributes)
        if (leads_on(attribute))
            properties[attribute.name] = attribute.target
                                             ? schemas.ref(*attribute.target, Facet::sort)
                                             : Schemas::ref("Direction");
    return options_of(std::move(properties));
}

json::object own_sort_schema(ContentType const& type) {
    json::object properties{{"id", Schemas::ref("Direction")}};
    for (Attribute const& attribute : type.attributes)
        if (leads_on(attribute) && attribute.is_scalar())
            properties[attribute.name] = Schemas::ref("Direction");
    return options_of(std::move(properties));
}

json::object sort_forms(Schemas& schemas, ContentType const& type, Facet members) {
    json::object const path = Schemas::ref("SortPath");
    json::array forms{path, list_of(path)};
    if (!schemas.are_flat()) forms.push_back(schemas.ref(type, members));
    return {{"anyOf", std::move(forms)}};
}

json::object filters_forms(Schemas& schemas, ContentType const& type) {
    return schemas.are_flat() ? Schemas::ref("Filters") : schemas.ref(type, Facet::filters);
}

json::object populate_schema(Schemas& schemas, ContentType const& type) {
    json::object properties;
    for (Attribute const& attribute : type.attributes) {
        if (!is_populatable(attribute)) continue;
        json::object options = attribute.target ? schemas.ref(*attribute.target, Facet::options)
                                                : polymorphic_options(schemas, attribute);
        if (attribute.is_of_document()) options = without_window(std::move(options));
        properties[attribute.name] = {
            {"anyOf", json::array{json::object{{"type", "boolean"}}, std::move(options)}}};
    }
    return options_of(std::move(properties));
}

json::object populate_forms(Schemas& schemas, ContentType const& type) {
    auto const first = std::ranges::find_if(type.attributes, is_populatable);
    json::object const path{{"type", "string"}, {"examples", json::array{first->name}}};
    json::object members =
        schemas.are_flat() ? Schemas::ref("Populate") : schemas.ref(type, Facet::populate);
    return {
        {"anyOf", json::array{Schemas::ref("PopulatePath"), list_of(path), std::move(members)}}};
}

json::object options_schema(Schemas& schemas, ContentType const& type) {
    json::object options = json::parse(schemas.dialect().options).as_object();
    add_window(options);
    options["fields"] = list_of(schemas.ref(type, Facet::field));
    options["filters"] = schemas.ref(type, Facet::filters);
    options["sort"] = sort_forms(
        schemas, type, schemas.dialect().populated_sort_leads_on ? Facet::sort : Facet::own_sort);
    if (std::ranges::any_of(type.attributes, is_populatable))
        options["populate"] = populate_forms(schemas, type);
    bool const is_component = type.kind == ContentType::Kind::component;
    options["count"] = {
        {"type", "boolean"},
        {"description", "the number of entries instead of the entries"},
        {"x-answer", Schemas::ref(is_component ? "ComponentCount" : "RelationCount")}};
    return options_of(std::move(options));
}

void add_shared_filters(json::object& schemas, db::BindingRules const& rules) {
    for (auto const& [type, value, groups] : shared_filters()) {
        std::string const name(type);
        schemas[name + "Value"] = json::parse(value);
        schemas[name + "Filter"] = filter_schema(Schemas::ref(name + "Value"), groups, rules);
    }
}

} // namespace fcgi
