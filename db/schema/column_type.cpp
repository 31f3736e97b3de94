#include "db/schema/declaration.hpp"

#include <algorithm>

// A schema may choose columns of its own, in the words of Strapi's query builder, knex 3.

namespace db {

namespace {

namespace json = boost::json;
using Kind = ColumnType::Kind;

struct KnexType {
    std::string_view name;
    ColumnType type; // without arguments
};

constexpr KnexType knex_types[] = {
    {"string", {Kind::varchar, 255}},
    {"text", {Kind::text}},
    {"json", {Kind::json}},
    {"jsonb", {Kind::json}},
    {"integer", {Kind::integer}},
    {"bigint", {Kind::biginteger}},
    {"bigInteger", {Kind::biginteger}},
    {"biginteger", {Kind::biginteger}},
    {"float", {Kind::floating, 8, 2}},
    {"double", {Kind::double_floating}},
    {"decimal", {Kind::decimal, 8, 2}},
    {"boolean", {Kind::boolean}},
    {"date", {Kind::date}},
    {"time", {Kind::time}},
    {"datetime", {Kind::datetime}},
    {"timestamp", {Kind::timestamp}},
};

// Takes a number, or {"precision": 6}, as times have it.
unsigned number_of(json::value const& argument) {
    auto const* object = argument.if_object();
    auto const* number = object ? object->if_contains("precision") : &argument;
    auto const* integer = number ? number->if_int64() : nullptr;
    return integer && *integer > 0 ? static_cast<unsigned>(*integer) : 0;
}

ColumnType declared_column(json::object const& declared) {
    auto const* type = declared.if_contains("type");
    auto const* word = !type || !type->is_string()
                           ? std::end(knex_types)
                           : std::ranges::find(knex_types, type->get_string(), &KnexType::name);
    if (word == std::end(knex_types)) return {Kind::unknown};

    ColumnType column = word->type;
    auto const* list = declared.if_contains("args");
    if (!list || !list->is_array() || list->get_array().empty()) return column;
    auto const& arguments = list->get_array();
    if (arguments[0].is_string()) {
        if (arguments[0].get_string() == "longtext") column.kind = Kind::longtext;
        if (arguments[0].get_string() == "mediumtext") column.kind = Kind::mediumtext;
    } else {
        column.size = number_of(arguments[0]);
        if (arguments.size() > 1) column.scale = number_of(arguments[1]);
    }
    return column;
}

bool is_true(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value && value->is_bool() && value->get_bool();
}

std::string text_of(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

} // namespace

ColumnType column_type(AttributeType type, json::object const& attribute, Layout const& layout) {
    auto const* declared = attribute.if_contains("columnType");
    ColumnType column = declared && declared->is_object() ? declared_column(declared->get_object())
                                                          : facts_of(type).column;
    if (type == AttributeType::uid) column.is_unique &= layout.uids_are_unique;
    auto const* more = attribute.if_contains("column");
    if (more && more->is_object()) {
        column.is_unique |= is_true(more->get_object(), "unique");
        column.is_unsigned |= is_true(more->get_object(), "unsigned");
    }
    return column;
}

std::vector<TableIndex> declared_indexes(json::object const& file) {
    std::vector<TableIndex> indexes;
    auto const* list = file.if_contains("indexes");
    if (!list || !list->is_array()) return indexes;
    for (auto const& item : list->get_array()) {
        auto const* declared = item.if_object();
        auto const* columns = declared ? declared->if_contains("columns") : nullptr;
        if (!columns || !columns->is_array()) continue;
        TableIndex index{text_of(*declared, "name"), {}, text_of(*declared, "type") == "unique"};
        for (auto const& column : columns->get_array())
            if (column.is_string()) index.columns.emplace_back(column.get_string());
        indexes.push_back(std::move(index));
    }
    return indexes;
}

} // namespace db
