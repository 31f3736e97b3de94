#include "fcgi/openapi/schemas.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

// Schemas of responses. Any column may be NULL, whatever its attribute requires of writers, and
// `fields` may leave out any: no attribute is required but ids.

namespace fcgi {

using db::Attribute;
using db::AttributeType;
using db::ContentType;

namespace {

json::object scalar_schema(Attribute const& attribute) {
    json::object schema = json::parse(schema_of(attribute.scalar()).response).as_object();
    if (attribute.type == AttributeType::enumeration && !attribute.values.empty()) {
        json::array values(attribute.values.begin(), attribute.values.end());
        values.push_back(nullptr);
        schema["enum"] = std::move(values);
    }
    return schema;
}

// Returns the schema of entries of several types. `discriminator`, if any, has the UID of each.
json::object any_entry(Schemas& schemas, Attribute const& attribute, Facet facet,
                       std::string_view discriminator) {
    json::array alternatives;
    for (ContentType const* target : schemas.targets(attribute)) {
        json::object entry = schemas.ref(*target, facet);
        if (!discriminator.empty()) {
            json::object const uid{{"const", target->uid}};
            json::object marked{{"type", "object"},
                                {"required", json::array{discriminator}},
                                {"properties", json::object{{discriminator, uid}}}};
            entry = {{"allOf", json::array{std::move(entry), std::move(marked)}}};
        }
        alternatives.push_back(std::move(entry));
    }
    if (alternatives.empty()) return {{"not", json::object()}}; // only an empty list is possible
    return any_of(std::move(alternatives));
}

// A type without languages has a locale nevertheless, which only inverse relations show.
json::object with_locale(json::object entry, ContentType const& type, bool flat) {
    Attribute const* locale = type.find("locale");
    if (!locale || !locale->is_hidden()) return entry;
    auto const having = [](std::string_view name, json::object schema) {
        return json::object{{"type", "object"},
                            {"properties", json::object{{name, std::move(schema)}}}};
    };
    json::object member = having("locale", scalar_schema(*locale));
    if (!flat) member = having("attributes", std::move(member));
    return {{"allOf", json::array{std::move(entry), std::move(member)}}};
}

json::object related_schema(Schemas& schemas, Attribute const& attribute, bool flat) {
    db::JsonRules const& rules = schemas.json();
    Facet const flat_below = schemas.are_flat() ? Facet::flat_scalars : Facet::flat;
    Facet const below = flat                 ? flat_below
                        : schemas.are_flat() ? Facet::entry_scalars
                                             : Facet::entry;
    if (attribute.type == AttributeType::dynamic_zone)
        return list_of(any_entry(schemas, attribute, below, "__component"));
    if (attribute.is_polymorphic()) {
        if (attribute.many) return list_of(any_entry(schemas, attribute, flat_below, "__type"));
        return or_null(
            any_entry(schemas, attribute, flat_below, rules.one_says_type ? "__type" : ""));
    }
    json::object value = schemas.ref(*attribute.target, below);
    if (schemas.rules().inverses_show_locale && attribute.is_morph_inverse())
        value = with_locale(std::move(value), *attribute.target, flat);
    if (attribute.many) value = list_of(std::move(value));
    bool const empty_is_null = rules.empty_can_be_null && (attribute.type == AttributeType::media ||
                                                           attribute.is_morph_inverse());
    if (!attribute.many || empty_is_null) value = or_null(std::move(value));
    if (flat || attribute.type == AttributeType::component) return value;
    return {{"type", "object"},
            {"required", json::array{"data"}},
            {"properties", json::object{{"data", std::move(value)}}}};
}

json::object x_attribute(Schemas const& schemas, Attribute const& attribute) {
    json::object about{{"type", db::name_of(attribute.type)}};
    if (attribute.is_scalar()) return about;
    if (attribute.is_relation()) about["relation"] = db::name_of(attribute.relation);
    about["many"] = attribute.many;
    json::array& targets = about["targets"].emplace_array();
    for (ContentType const* target : schemas.targets(attribute))
        targets.emplace_back(target->uid);
    return about;
}

json::object attributes_schema(Schemas& schemas, ContentType const& type, bool flat,
                               bool scalars_alone) {
    json::object properties;
    for (Attribute const& attribute : type.attributes) {
        if (!attribute.is_shown() || (scalars_alone && !attribute.is_scalar())) continue;
        json::object schema = attribute.is_scalar() ? scalar_schema(attribute)
                                                    : related_schema(schemas, attribute, flat);
        schema["x-attribute"] = x_attribute(schemas, attribute);
        properties[attribute.name] = std::move(schema);
    }
    return properties;
}

std::string_view kind_name(ContentType const& type) {
    switch (type.kind) {
    case ContentType::Kind::collection:
        return "collectionType";
    case ContentType::Kind::single:
        return "singleType";
    case ContentType::Kind::component:
        break;
    }
    return "component";
}

json::object x_content_type(ContentType const& type) {
    return {{"uid", type.uid},
            {"kind", kind_name(type)},
            {"draftAndPublish", type.draft_and_publish},
            {"localized", type.localized}};
}

} // namespace

json::object entry_schema(Schemas& schemas, ContentType const& type, Facet facet) {
    db::JsonRules const& rules = schemas.json();
    bool const flat = !rules.has_attributes || facet == Facet::flat || facet == Facet::flat_scalars;
    bool const scalars_alone = facet == Facet::entry_scalars || facet == Facet::flat_scalars;
    json::object attributes = attributes_schema(schemas, type, flat, scalars_alone);
    json::object properties{{"id", json::object{{"type", "integer"}}}};
    json::array required{"id"};
    if (flat || type.kind == ContentType::Kind::component) {
        for (auto& [name, schema] : attributes)
            properties[name] = std::move(schema);
    } else {
        if (rules.sets_document_apart) {
            properties[db::document_attribute] = attributes.at(db::document_attribute);
            attributes.erase(db::document_attribute);
        }
        properties["attributes"] = {{"type", "object"}, {"properties", std::move(attributes)}};
        required.emplace_back("attributes");
    }
    if (type.has_documents) required.emplace_back(db::document_attribute);
    return {{"type", "object"},
            {"required", std::move(required)},
            {"properties", std::move(properties)},
            {"x-content-type", x_content_type(type)}};
}

} // namespace fcgi
