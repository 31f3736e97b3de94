#include "db/content/layout.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <array>
#include <cstdio>

namespace db {

namespace {

using Kind = ColumnType::SqlType;
using Place = Link::Storage;

constexpr ColumnType reference{.kind = Kind::integer, .is_unsigned = true};
constexpr ColumnType position{.kind = Kind::double_floating, .is_unsigned = true};
constexpr ColumnType name_type{.kind = Kind::varchar, .size = 255};
constexpr ColumnType long_text{.kind = Kind::longtext};

// Holds settings of Strapi and its plugins; it is no content type.
TableDefinition store() {
    return {.name = "strapi_core_store_settings",
            .columns = {{"key", name_type},
                        {"value", long_text},
                        {"type", name_type},
                        {"environment", name_type},
                        {"tag", name_type}}};
}

// Lists what Strapi 5 has done to the tables of 4, and would otherwise do again to ours.
TableDefinition migrations() {
    return {.name = "strapi_migrations_internal",
            .columns = {{"name", name_type}, {"time", {.kind = Kind::datetime}}}};
}

// Returns a part of a name that is never shortened.
Layout::NamePart fixed(std::string_view text) {
    return {std::string(text), true};
}

// Adds an index and a foreign key, both named `key`, to a column that refers to another table.
void refer(TableDefinition& table, std::string const& key, std::string const& column,
           std::string target, ForeignKey::OnDelete on_delete) {
    table.indexes.push_back({key, {column}});
    table.foreign_keys.push_back({key, column, std::move(target), on_delete});
}

// The tables of one schema.
class Tables {
  public:
    explicit Tables(Layout const& layout) : layout_(layout), keys_(layout.keys) {}

    TableDefinition own_table(ContentType const& type) const {
        TableDefinition table{.name = type.table, .indexes = type.indexes};
        if (type.has_documents)
            table.indexes.push_back(
                {layout_.name({{type.collection}, {"documents"}, fixed(keys_.index)}),
                 {document_column, "locale", "published_at"}});
        for (auto const& attribute : type.attributes)
            add_attribute(table, attribute);
        return table;
    }

    // Components of all attributes share one table, which is added where the first one is declared.
    void add_link_tables(std::vector<TableDefinition>& tables, ContentType const& type) const {
        std::set<std::string> added;
        for (auto const& attribute : type.attributes) {
            auto const& link = attribute.link;
            if (link.storage != Place::table || !attribute.owns_link ||
                !added.insert(link.table).second)
                continue;
            if (!attribute.is_relation())
                tables.push_back(components_table(type, link));
            else if (attribute.is_polymorphic())
                tables.push_back(morph_table(type, link));
            else
                tables.push_back(link_table(type, attribute));
        }
    }

  private:
    // Names a key of `table`, or of one of its columns.
    std::string key(std::string const& table, std::string_view end) const {
        return layout_.name({{table}, fixed(end)});
    }
    std::string key(std::string const& table, std::string const& column,
                    std::string_view end) const {
        return layout_.name({{table}, {column}, fixed(end)});
    }
    // Names a key of the table of a type's components, which is named after the type.
    std::string components_key(ContentType const& type, std::string_view column,
                               std::string_view end) const {
        return layout_.name({{type.collection}, fixed(column), fixed(end)});
    }

    // Returns the table that lists all components of an entry, whatever the attribute.
    TableDefinition components_table(ContentType const& type, Link const& link) const {
        TableDefinition table{
            .name = link.table,
            .columns = {{link.parent_column, reference},
                        {link.target_column, reference},
                        {"component_type", name_type},
                        {link.field_column, name_type},
                        {link.order_column, position}},
            .indexes = {
                {components_key(type, "field", keys_.index), {link.field_column}},
                {components_key(type, "component_type", keys_.index), {"component_type"}},
                {key(type.collection, keys_.unique),
                 {link.parent_column, link.target_column, link.field_column, "component_type"},
                 true}}};
        refer(table, components_key(type, "entity", keys_.foreign), link.parent_column, type.table,
              ForeignKey::OnDelete::cascade);
        return table;
    }

    TableDefinition morph_table(ContentType const& type, Link const& link) const {
        TableDefinition table{.name = link.table,
                              .columns = {{link.parent_column, reference},
                                          {link.target_column, reference},
                                          {link.target_type_column, name_type},
                                          {"field", name_type},
                                          {link.order_column, position}}};
        refer(table, key(link.table, keys_.foreign), link.parent_column, type.table,
              ForeignKey::OnDelete::cascade);
        table.indexes.push_back({key(link.table, keys_.morph_order), {link.order_column}});
        table.indexes.push_back({key(link.table, keys_.morph_id), {link.target_column}});
        return table;
    }

    TableDefinition link_table(ContentType const& type, Attribute const& relation) const {
        auto const& link = relation.link;
        TableDefinition table{
            .name = link.table,
            .columns = {{link.parent_column, reference}, {link.target_column, reference}}};
        refer(table, key(link.table, keys_.foreign), link.parent_column, type.table,
              ForeignKey::OnDelete::cascade);
        refer(table, key(link.table, keys_.inverse), link.target_column, relation.target->table,
              ForeignKey::OnDelete::cascade);
        table.indexes.push_back(
            {key(link.table, keys_.unique), {link.parent_column, link.target_column}, true});

        auto const add_order = [&](std::string const& column, std::string_view end) {
            if (column.empty()) return;
            table.columns.push_back({column, position});
            table.indexes.push_back({key(link.table, end), {column}});
        };
        add_order(link.order_column, keys_.order);
        if (auto const* inverse = relation.other_side())
            add_order(inverse->link.order_column, keys_.inverse_order);
        return table;
    }

    // Adds to the table of a type what an attribute needs.
    void add_attribute(TableDefinition& table, Attribute const& attribute) const {
        auto const& link = attribute.link;
        if (attribute.is_scalar()) {
            table.columns.push_back({attribute.column, attribute.column_type});
            if (attribute.column_type.is_unique)
                table.indexes.push_back(
                    {key(table.name, attribute.column, keys_.unique), {attribute.column}, true});
        } else if (link.storage == Place::parent_column && attribute.owns_link) {
            table.columns.push_back({link.target_column, reference});
            if (attribute.is_polymorphic())
                table.columns.push_back({link.target_type_column, name_type});
            else
                refer(table, key(table.name, link.target_column, keys_.foreign), link.target_column,
                      attribute.target->table, ForeignKey::OnDelete::set_null);
        }
    }

    Layout const& layout_;
    Layout::Keys const& keys_;
};

// This is the server's limit in characters; names of tables and attributes are nearly always ASCII.
constexpr std::size_t longest_identifier = 64;

// Keys are named after their table, so their names may be too long. (Strapi does not start on MySQL
// then.) Nothing refers to them by name. A digest (FNV-1a) keeps different names different.
void shorten(std::string& name) {
    if (name.size() <= longest_identifier) return;
    std::uint32_t digest = 2'166'136'261U;
    for (char const c : name)
        digest = (digest ^ static_cast<unsigned char>(c)) * 16'777'619U;
    std::array<char, 10> end{};
    std::snprintf(end.data(), end.size(), "_%08x", digest);
    name.resize(longest_identifier - end.size() + 1);
    name += end.data();
}

parser::Result<void> check(TableDefinition const& table) {
    auto const refuse = [&](std::string const& problem) {
        return parser::Error{parser::ErrorKind::configuration,
                             "table `" + table.name + "`: " + problem};
    };
    std::vector<std::string> names{table.name};
    std::set<std::string_view> columns{"id"};
    for (auto const& column : table.columns) {
        if (!columns.insert(column.name).second)
            return refuse("expected another name for the attribute of column `" + column.name +
                          "`, which the table already has");
        if (column.type.kind == Kind::unknown)
            return refuse("expected a columnType of string, text, json, integer, bigint, float, "
                          "double, decimal, boolean, date, time, datetime or timestamp for `" +
                          column.name + '`');
        names.push_back(column.name);
    }
    for (auto const& name : names)
        if (name.size() > longest_identifier)
            return refuse("expected names of at most 64 characters, but `" + name + "` has " +
                          std::to_string(name.size()));
    return {};
}

// Selects table, kind of part and name.
constexpr SqlPiece all_parts =
    "SELECT TABLE_NAME, 'column', COLUMN_NAME FROM information_schema.COLUMNS"
    " WHERE TABLE_SCHEMA = DATABASE()"
    " UNION ALL SELECT DISTINCT TABLE_NAME, 'index', INDEX_NAME FROM information_schema.STATISTICS"
    " WHERE TABLE_SCHEMA = DATABASE()"
    " UNION ALL SELECT TABLE_NAME, 'key', CONSTRAINT_NAME"
    " FROM information_schema.TABLE_CONSTRAINTS"
    " WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_TYPE = 'FOREIGN KEY'";

std::string lower(std::string_view name) {
    return boost::to_lower_copy(std::string(name), std::locale::classic());
}

template<class Part>
std::vector<Part> lacking(std::vector<Part> const& wanted, std::set<std::string> const& existing) {
    std::vector<Part> parts;
    for (auto const& part : wanted)
        if (!existing.contains(lower(part.name))) parts.push_back(part);
    return parts;
}

} // namespace

parser::Result<std::vector<TableDefinition>> layout(Schema const& schema) {
    std::vector<TableDefinition> tables{store()};
    if (!schema.cms.initial.migrations.empty()) tables.push_back(migrations());
    Tables const made(schema.cms.layout);
    for (auto const& [uid, type] : schema.types)
        tables.push_back(made.own_table(*type));
    for (auto const& [uid, type] : schema.types)
        made.add_link_tables(tables, *type);
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

parser::Result<ExistingTables> read_existing_tables(Connection& connection) {
    auto rows = connection.query(all_parts);
    if (!rows) return rows.error();
    ExistingTables existing;
    while (rows->next()) {
        auto& table = existing[std::string(rows->text(0))];
        std::string const kind(rows->text(1));
        auto& names = kind == "column"  ? table.columns
                      : kind == "index" ? table.indexes
                                        : table.foreign_keys;
        names.insert(lower(rows->text(2)));
    }
    return existing;
}

ExistingTable const* find_table(ExistingTables const& tables, std::string const& name) {
    auto found = tables.find(name);
    // With lower_case_table_names=1 the server knows every table by its lower-case name.
    if (found == tables.end()) found = tables.find(lower(name));
    return found == tables.end() ? nullptr : &found->second;
}

TableDefinition missing_parts(TableDefinition const& table, ExistingTable const& existing) {
    return {.name = table.name,
            .columns = lacking(table.columns, existing.columns),
            .indexes = lacking(table.indexes, existing.indexes),
            .foreign_keys = lacking(table.foreign_keys, existing.foreign_keys)};
}

} // namespace db
