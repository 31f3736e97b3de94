#include "db/tables/layout.hpp"

#include <array>
#include <cstdio>
#include <set>

namespace db {

namespace {

using Kind = ColumnType::Kind;
using Place = Link::Place;

constexpr ColumnType reference{.kind = Kind::integer, .is_unsigned = true};
constexpr ColumnType position{.kind = Kind::double_floating, .is_unsigned = true};
constexpr ColumnType name_type{.kind = Kind::varchar, .size = 255};
constexpr ColumnType long_text{.kind = Kind::longtext};

// Settings of Strapi and its plugins; no content type.
Table store() {
    return {.name = "strapi_core_store_settings",
            .columns = {{"key", name_type},
                        {"value", long_text},
                        {"type", name_type},
                        {"environment", name_type},
                        {"tag", name_type}},
            .indexes = {},
            .foreign_keys = {}};
}

// A column that refers to another table, with its index and its foreign key of the same name.
void refer(Table& table, std::string const& key, std::string const& column, std::string target,
           ForeignKey::OnDelete on_delete) {
    table.indexes.push_back({key, {column}});
    table.foreign_keys.push_back({key, column, std::move(target), on_delete});
}

// Which table lists all components of an entry, whatever the attribute.
Table components_table(ContentType const& type) {
    auto const& name = type.table;
    Table table{.name = name + "_components",
                .columns = {{"entity_id", reference},
                            {"component_id", reference},
                            {"component_type", name_type},
                            {"field", name_type},
                            {"order", position}},
                .indexes = {{name + "_field_index", {"field"}},
                            {name + "_component_type_index", {"component_type"}},
                            {name + "_unique",
                             {"entity_id", "component_id", "field", "component_type"},
                             true}},
                .foreign_keys = {}};
    refer(table, name + "_entity_fk", "entity_id", name, ForeignKey::OnDelete::cascade);
    return table;
}

Table morph_table(ContentType const& type, Link const& link) {
    Table table{.name = link.table,
                .columns = {{link.parent_column, reference},
                            {link.target_column, reference},
                            {link.target_type_column, name_type},
                            {"field", name_type},
                            {link.order_column, position}},
                .indexes = {},
                .foreign_keys = {}};
    refer(table, link.table + "_fk", link.parent_column, type.table, ForeignKey::OnDelete::cascade);
    table.indexes.push_back({link.table + "_order_index", {link.order_column}});
    table.indexes.push_back({link.table + "_id_column_index", {link.target_column}});
    return table;
}

Table link_table(ContentType const& type, Attribute const& relation) {
    auto const& link = relation.link;
    Table table{.name = link.table,
                .columns = {{link.parent_column, reference}, {link.target_column, reference}},
                .indexes = {},
                .foreign_keys = {}};
    refer(table, link.table + "_fk", link.parent_column, type.table, ForeignKey::OnDelete::cascade);
    refer(table, link.table + "_inv_fk", link.target_column, relation.target->table,
          ForeignKey::OnDelete::cascade);
    table.indexes.push_back(
        {link.table + "_unique", {link.parent_column, link.target_column}, true});

    auto const add_order = [&](std::string const& column, std::string const& index) {
        if (column.empty()) return;
        table.columns.push_back({column, position});
        table.indexes.push_back({link.table + index, {column}});
    };
    add_order(link.order_column, "_order_fk");
    if (auto const* inverse = relation.other_side())
        add_order(inverse->link.order_column, "_order_inv_fk");
    return table;
}

// What an attribute adds to the table of its type.
void add_attribute(Table& table, Attribute const& attribute) {
    auto const& link = attribute.link;
    if (attribute.is_scalar()) {
        table.columns.push_back({attribute.column, attribute.column_type});
        if (attribute.column_type.is_unique)
            table.indexes.push_back(
                {table.name + '_' + attribute.column + "_unique", {attribute.column}, true});
    } else if (link.place == Place::parent_column && attribute.owns_link) {
        table.columns.push_back({link.target_column, reference});
        if (attribute.is_polymorphic())
            table.columns.push_back({link.target_type_column, name_type});
        else
            refer(table, table.name + '_' + link.target_column + "_fk", link.target_column,
                  attribute.target->table, ForeignKey::OnDelete::set_null);
    }
}

Table own_table(ContentType const& type) {
    Table table{.name = type.table, .columns = {}, .indexes = type.indexes, .foreign_keys = {}};
    for (auto const& attribute : type.attributes)
        add_attribute(table, attribute);
    return table;
}

// Of components there is one table for all attributes, where the first of them is declared.
void add_link_tables(std::vector<Table>& tables, ContentType const& type) {
    std::set<std::string> added;
    for (auto const& attribute : type.attributes) {
        auto const& link = attribute.link;
        if (link.place != Place::table || !attribute.owns_link || !added.insert(link.table).second)
            continue;
        if (attribute.is_relation())
            tables.push_back(attribute.is_polymorphic() ? morph_table(type, link)
                                                        : link_table(type, attribute));
        else
            tables.push_back(components_table(type));
    }
}

// The server's limit, in characters; names of tables and attributes are nearly always ASCII.
constexpr std::size_t longest_name = 64;

// Keys are named after their table, which may leave no room for what is added; nobody asks for them
// by name. (There Strapi does not start on MySQL.) Different names stay so, by a digest (FNV-1a).
void shorten(std::string& name) {
    if (name.size() <= longest_name) return;
    std::uint32_t digest = 2'166'136'261U;
    for (char const c : name)
        digest = (digest ^ static_cast<unsigned char>(c)) * 16'777'619U;
    std::array<char, 10> end{};
    std::snprintf(end.data(), end.size(), "_%08x", digest);
    name.resize(longest_name - end.size() + 1);
    name += end.data();
}

parser::Result<void> check(Table const& table) {
    auto const refuse = [&](std::string const& problem) {
        return parser::Error{parser::ErrorKind::configuration,
                             "table `" + table.name + "`: " + problem};
    };
    std::vector<std::string> names{table.name};
    std::set<std::string_view> columns{"id"};
    for (auto const& column : table.columns) {
        if (!columns.insert(column.name).second)
            return refuse("expected another name for the attribute of column `" + column.name +
                          "`, which the table has already");
        if (column.type.kind == Kind::unknown)
            return refuse("expected a columnType of string, text, json, integer, bigint, float, "
                          "double, decimal, boolean, date, time, datetime or timestamp for `" +
                          column.name + '`');
        names.push_back(column.name);
    }
    for (auto const& name : names)
        if (name.size() > longest_name)
            return refuse("expected names of at most 64 characters, `" + name + "` has " +
                          std::to_string(name.size()));
    return {};
}

} // namespace

parser::Result<std::vector<Table>> layout(Schema const& schema) {
    std::vector<Table> tables{store()};
    for (auto const& [uid, type] : schema.types)
        tables.push_back(own_table(*type));
    for (auto const& [uid, type] : schema.types)
        add_link_tables(tables, *type);
    for (auto& table : tables) {
        for (auto& index : table.indexes)
            shorten(index.name);
        for (auto& key : table.foreign_keys)
            shorten(key.name);
    }
    for (auto const& table : tables)
        if (auto checked = check(table); !checked) return checked.error();
    return tables;
}

} // namespace db
