#pragma once

#include "db/schema/schema.hpp"

#include <algorithm>
#include <string_view>

// What schema files call the types of attributes and the kinds of relations.

namespace db {

struct TypeName {
    std::string_view name;
    AttributeType type;
};

inline constexpr TypeName attribute_types[] = {
    {"string", AttributeType::string},
    {"text", AttributeType::text},
    {"richtext", AttributeType::richtext},
    {"uid", AttributeType::uid},
    {"email", AttributeType::email},
    {"enumeration", AttributeType::enumeration},
    {"password", AttributeType::password},
    {"integer", AttributeType::integer},
    {"biginteger", AttributeType::biginteger},
    {"float", AttributeType::floating},
    {"decimal", AttributeType::decimal},
    {"boolean", AttributeType::boolean},
    {"date", AttributeType::date},
    {"time", AttributeType::time},
    {"datetime", AttributeType::datetime},
    {"timestamp", AttributeType::timestamp},
    {"json", AttributeType::json},
    {"blocks", AttributeType::json},
    // A plugin says in its code what it is, and the CMS makes its column so.
    {"customField", AttributeType::string},
    {"relation", AttributeType::relation},
    {"media", AttributeType::media},
    {"component", AttributeType::component},
    {"dynamiczone", AttributeType::dynamic_zone},
};

struct KindName {
    std::string_view name;
    RelationKind kind;
    bool many;
};

inline constexpr KindName relation_kinds[] = {
    {"oneToOne", RelationKind::one_to_one, false},
    {"oneToMany", RelationKind::one_to_many, true},
    {"manyToOne", RelationKind::many_to_one, false},
    {"manyToMany", RelationKind::many_to_many, true},
    {"morphToOne", RelationKind::morph_to_one, false},
    {"morphToMany", RelationKind::morph_to_many, true},
    {"morphOne", RelationKind::morph_one, false},
    {"morphMany", RelationKind::morph_many, true},
};

// The first one, where several names mean the same.
inline std::string_view name_of(AttributeType type) {
    return std::ranges::find(attribute_types, type, &TypeName::type)->name;
}

inline std::string_view name_of(RelationKind kind) {
    return std::ranges::find(relation_kinds, kind, &KindName::kind)->name;
}

} // namespace db
