#pragma once

#include "db/schema/columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The types of attributes: what schema files call them, what values they have, which columns Strapi
// 4.26 makes for them. A new type whose values are of an existing class needs only a row here; a
// new class needs a case in each `switch` over ScalarClass, which the compiler lists.

namespace db {

enum class AttributeType : std::uint8_t {
    string,
    text,
    richtext,
    uid,
    email,
    enumeration,
    password,
    integer,
    biginteger,
    floating,
    decimal,
    boolean,
    date,
    time,
    datetime,
    timestamp,
    json, // `blocks` too
    relation,
    media,
    component,
    dynamic_zone,
};

// How values are compared, written as JSON and imported.
enum class ScalarClass : std::uint8_t {
    none, // rows of other tables, not a value
    text,
    integer,
    biginteger, // as text, because JavaScript's numbers would lose digits
    number,
    boolean,
    date,
    time,
    datetime,
    timestamp, // as JSON: milliseconds since 1970
    json,
};

// Whether `_q` searches such values: texts always, numbers if its text is `numeric`.
constexpr bool is_searched(ScalarClass scalar, bool numeric) {
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

struct TypeFacts {
    AttributeType type;
    std::string_view name; // in schema files
    ScalarClass scalar = ScalarClass::none;
    ColumnType column = {}; // of a scalar that declares none
};

// The rows are in the order of the enumerators, so that each type finds its row.
inline constexpr auto attribute_types = [] {
    using Type = AttributeType;
    using Of = ScalarClass;
    using Sql = ColumnType::SqlType;
    return std::to_array<TypeFacts>({
        {Type::string, "string", Of::text, {Sql::varchar, 255}},
        {Type::text, "text", Of::text, {Sql::longtext}},
        {Type::richtext, "richtext", Of::text, {Sql::longtext}},
        {Type::uid, "uid", Of::text, {.kind = Sql::varchar, .size = 255, .is_unique = true}},
        {Type::email, "email", Of::text, {Sql::varchar, 255}},
        {Type::enumeration, "enumeration", Of::text, {Sql::varchar, 255}},
        {Type::password, "password", Of::text, {Sql::varchar, 255}},
        {Type::integer, "integer", Of::integer, {Sql::integer}},
        {Type::biginteger, "biginteger", Of::biginteger, {Sql::biginteger}},
        {Type::floating, "float", Of::number, {Sql::double_floating}},
        {Type::decimal, "decimal", Of::number, {Sql::decimal, 10, 2}},
        {Type::boolean, "boolean", Of::boolean, {Sql::boolean}},
        {Type::date, "date", Of::date, {Sql::date}},
        {Type::time, "time", Of::time, {Sql::time, 3}},
        {Type::datetime, "datetime", Of::datetime, {Sql::datetime, 6}},
        {Type::timestamp, "timestamp", Of::timestamp, {Sql::timestamp, 6}},
        {Type::json, "json", Of::json, {Sql::json}},
        {Type::relation, "relation"},
        {Type::media, "media"},
        {Type::component, "component"},
        {Type::dynamic_zone, "dynamiczone"},
    });
}();

constexpr TypeFacts const& facts_of(AttributeType type) {
    return attribute_types[static_cast<std::size_t>(type)];
}

static_assert(std::ranges::all_of(attribute_types, [](TypeFacts const& row) {
    return &facts_of(row.type) == &row;
}));
static_assert(attribute_types.size() == static_cast<std::size_t>(AttributeType::dynamic_zone) + 1);

// Other names of the same types.
inline constexpr TypeFacts type_aliases[] = {
    {AttributeType::json, "blocks"},
    // Only the plugin's code says which type it is; the CMS makes the column of that type.
    {AttributeType::string, "customField"},
};

// What a polymorphic relation can do depends on which side it is; the other four kinds differ only
// in what `Attribute::many` and `Attribute::link` say.
enum class RelationKind : std::uint8_t {
    one_to_one,
    one_to_many,
    many_to_one,
    many_to_many,
    morph_to_one,  // this entry names its target's type and id
    morph_to_many, // a link table names the targets' types and ids
    morph_one,     // the inverse of either
    morph_many,
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

constexpr std::string_view name_of(AttributeType type) {
    return facts_of(type).name;
}

constexpr std::string_view name_of(RelationKind kind) {
    return std::ranges::find(relation_kinds, kind, &KindName::kind)->name;
}

} // namespace db
