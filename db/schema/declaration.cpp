#include "db/schema/declaration.hpp"

#include "db/schema/attribute_types.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <optional>

namespace db {

namespace {

namespace json = boost::json;

constexpr auto localizations_attribute = "localizations";

// Reads the members of one JSON object, which is at `place` in its file. Only the first error is
// kept.
class ObjectReader {
  public:
    ObjectReader(json::object const& object, std::string place, std::string& problem)
        : object_(object), place_(std::move(place)), problem_(problem) {}

    std::string text(std::string_view key, std::string fallback = {}) const {
        auto const* value = object_.if_contains(key);
        if (!value || value->is_null()) return fallback;
        if (!value->is_string()) {
            expected(key, "a string");
            return fallback;
        }
        return std::string(value->get_string());
    }

    std::string required_text(std::string_view key) const {
        std::string value = text(key);
        if (value.empty()) expected(key, "a string that is not empty");
        return value;
    }

    // Whether JavaScript's `if` takes the value as true.
    bool truthy(std::string_view key) const {
        auto const* value = object_.if_contains(key);
        if (!value || value->is_null()) return false;
        if (value->is_bool()) return value->get_bool();
        if (value->is_string()) return !value->get_string().empty();
        return !value->is_number() || value->to_number<double>() != 0;
    }

    bool is(std::string_view key, bool expected_value) const {
        auto const* value = object_.if_contains(key);
        return value && value->is_bool() && value->get_bool() == expected_value;
    }

    // Returns an empty object if there is none.
    ObjectReader object(std::string_view key) const {
        static json::object const none;
        auto const* value = object_.if_contains(key);
        if (value && !value->is_object()) expected(key, "an object");
        return {value && value->is_object() ? value->get_object() : none,
                place_ + std::string(key) + '.', problem_};
    }

    std::vector<std::string> texts(std::string_view key) const {
        std::vector<std::string> list;
        auto const* value = object_.if_contains(key);
        if (!value) return list;
        auto const is_text = [](json::value const& item) { return item.is_string(); };
        if (!value->is_array() || !std::ranges::all_of(value->get_array(), is_text))
            expected(key, "a list of strings");
        else
            for (auto const& item : value->get_array())
                list.emplace_back(item.get_string());
        return list;
    }

    void expected(std::string_view key, std::string_view what) const {
        if (!problem_.empty()) return;
        problem_.append(place_).append(key).append(": expected ").append(what);
        if (auto const* value = object_.if_contains(key))
            problem_.append(", received ").append(json::serialize(*value));
    }

    json::object const& members() const { return object_; }

  private:
    json::object const& object_;
    std::string place_;
    std::string& problem_;
};

// A schema may choose columns of its own, in the words of Strapi's query builder, knex 3.
using Sql = ColumnType::SqlType;

struct KnexType {
    std::string_view name;
    ColumnType type; // without arguments
};

constexpr KnexType knex_types[] = {
    {"string", {Sql::varchar, 255}},
    {"text", {Sql::text}},
    {"json", {Sql::json}},
    {"jsonb", {Sql::json}},
    {"integer", {Sql::integer}},
    {"bigint", {Sql::biginteger}},
    {"bigInteger", {Sql::biginteger}},
    {"biginteger", {Sql::biginteger}},
    {"float", {Sql::floating, 8, 2}},
    {"double", {Sql::double_floating}},
    {"decimal", {Sql::decimal, 8, 2}},
    {"boolean", {Sql::boolean}},
    {"date", {Sql::date}},
    {"time", {Sql::time}},
    {"datetime", {Sql::datetime}},
    {"timestamp", {Sql::timestamp}},
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
    if (word == std::end(knex_types)) return {Sql::unknown};

    ColumnType column = word->type;
    auto const* list = declared.if_contains("args");
    if (!list || !list->is_array() || list->get_array().empty()) return column;
    auto const& arguments = list->get_array();
    if (arguments[0].is_string()) {
        if (arguments[0].get_string() == "longtext") column.kind = Sql::longtext;
        if (arguments[0].get_string() == "mediumtext") column.kind = Sql::mediumtext;
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

// Returns the column of a scalar: that of its type, unless `columnType` and `column` say otherwise.
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

// Returns the `indexes` of a schema file without invalid ones: only Strapi's own types have any.
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

void declare_relation(AttributeDeclaration& declaration, ObjectReader const& from) {
    auto& attribute = declaration.attribute;
    std::string const kind = from.required_text("relation");
    auto const* known = std::ranges::find(relation_kinds, kind, &KindName::name);
    if (known == std::end(relation_kinds)) return from.expected("relation", "a kind of relation");
    attribute.relation = known->kind;
    attribute.many = known->many;
    for (auto const& [member, side] : {std::pair("inversedBy", &declaration.inversed_by),
                                       std::pair("mappedBy", &declaration.mapped_by)})
        if (from.members().contains(member)) *side = from.text(member);
    declaration.use_join_table = !from.is("useJoinTable", false);
    switch (attribute.relation) {
    case RelationKind::morph_to_one:
    case RelationKind::morph_to_many:
        return;
    case RelationKind::morph_one:
    case RelationKind::morph_many:
        declaration.morph_by = from.text("morphBy");
        [[fallthrough]];
    default:
        // Strapi requires no target on the inverse side.
        bool const is_inverse = declaration.mapped_by && !declaration.inversed_by;
        declaration.target = is_inverse ? from.text("target") : from.required_text("target");
    }
}

std::optional<AttributeType> type_named(std::string_view name) {
    auto const row = std::ranges::find(attribute_types, name, &TypeFacts::name);
    if (row != attribute_types.end()) return row->type;
    auto const* alias = std::ranges::find(type_aliases, name, &TypeFacts::name);
    return alias == std::end(type_aliases) ? std::nullopt : std::optional(alias->type);
}

AttributeDeclaration declare_attribute(std::string_view name, ObjectReader const& from,
                                       Layout const& layout) {
    AttributeDeclaration declaration;
    auto& attribute = declaration.attribute;
    attribute.name = name;
    parser::append_json_string(attribute.json_key, name);
    attribute.json_key += ':';
    attribute.is_private = from.truthy("private");
    attribute.searchable = !from.is("searchable", false);

    std::string const type = from.required_text("type");
    auto const known = type_named(type);
    if (!known) {
        from.expected("type", "an attribute type of Strapi");
        return declaration;
    }
    attribute.type = *known;
    attribute.is_custom = type == "customField";
    if (attribute.is_scalar()) {
        attribute.column = layout.name({{snake_case(name)}});
        attribute.column_type = column_type(attribute.type, from.members(), layout);
    }
    switch (attribute.type) {
    case AttributeType::relation:
        declare_relation(declaration, from);
        break;
    case AttributeType::enumeration:
        attribute.values = from.texts("enum");
        break;
    case AttributeType::media:
        attribute.many = from.truthy("multiple");
        declaration.target = "plugin::upload.file";
        declaration.morph_by = "related";
        break;
    case AttributeType::component:
        attribute.many = from.truthy("repeatable");
        declaration.target = from.required_text("component");
        break;
    case AttributeType::dynamic_zone:
        attribute.many = true;
        declaration.components = from.texts("components");
        break;
    default:
        break;
    }
    return declaration;
}

// Adds the attributes that Strapi adds to every content type. They replace declared ones of the
// same name, in place.
json::object with_implicit(json::object declared, ContentType const& type, Layout const& layout) {
    if (type.kind == ContentType::Kind::component) return declared;
    json::object attributes;
    if (layout.has_documents) attributes[document_attribute] = {{"type", "string"}};
    for (auto& [name, attribute] : declared)
        attributes.emplace(name, std::move(attribute));
    json::object const date{{"type", "datetime"}};
    json::object const creator{{"type", "relation"},
                               {"relation", "oneToOne"},
                               {"target", "admin::user"},
                               {"useJoinTable", false},
                               {"private", !type.populate_creator_fields}};
    attributes["createdAt"] = date;
    attributes["updatedAt"] = date;
    if (type.draft_and_publish || layout.has_documents) attributes["publishedAt"] = date;
    attributes["createdBy"] = creator;
    attributes["updatedBy"] = creator;
    if (type.localized || layout.has_documents) {
        attributes[localizations_attribute] = {{"type", "relation"},
                                               {"relation", "oneToMany"},
                                               {"target", type.uid},
                                               {"private", !type.localized}};
        attributes["locale"] = {{"type", "string"}, {"private", !type.localized}};
    }
    return attributes;
}

// `api::blog.post` without collectionName is stored in `post`, `plugin::i18n.locale` in
// `i18n_locale`.
std::string default_table(std::string_view uid, std::string const& singular) {
    auto const scope = uid.find("::");
    if (uid.substr(0, scope) == "api") return singular;
    auto const owner = uid.substr(scope + 2, uid.find('.') - scope - 2);
    return std::string(owner) + '_' + singular;
}

void name_tables(ContentType& type, std::string const& collection, Layout const& layout) {
    type.collection = collection;
    type.table = layout.name({{collection}});
    type.components_table = layout.name({{collection}, {std::string(layout.components), true}});
}

ContentType declare_type(std::string const& uid, ObjectReader const& file, Layout const& layout) {
    ContentType type;
    type.uid = uid;
    if (uid.find("::") == std::string::npos) {
        type.kind = ContentType::Kind::component;
        type.singular = uid.substr(uid.find('.') + 1);
        name_tables(type, file.required_text("collectionName"), layout);
        return type;
    }
    std::string const kind = file.text("kind", "collectionType");
    if (kind == "singleType") type.kind = ContentType::Kind::single;
    auto const names = file.object("info");
    type.singular = names.required_text("singularName");
    type.plural = names.required_text("pluralName");
    auto const named = file.text("collectionName");
    name_tables(type, named.empty() ? default_table(uid, type.singular) : named, layout);
    type.indexes = declared_indexes(file.members());
    type.has_documents = layout.has_documents;
    type.draft_and_publish = file.object("options").is("draftAndPublish", true);
    type.populate_creator_fields = file.object("options").truthy("populateCreatorFields");
    type.localized = file.object("pluginOptions").object("i18n").is("localized", true);
    return type;
}

} // namespace

parser::Result<Declaration> declare(SchemaFile const& file, SchemaOptions const& options,
                                    Cms const& cms) {
    std::string problem;
    ObjectReader const members(file.content, "", problem);
    Layout const& layout = cms.layout;
    Declaration declaration{file.path, file.code, declare_type(file.uid, members, layout), {}};
    if (!file.uid.starts_with("admin::")) declaration.type.declared = json::serialize(file.content);

    auto private_names = members.object("options").texts("privateAttributes");
    private_names.insert(private_names.end(), options.private_attributes.begin(),
                         options.private_attributes.end());
    auto const attributes =
        with_implicit(members.object("attributes").members(), declaration.type, layout);
    ObjectReader const all(attributes, "attributes.", problem);
    if (attributes.contains("id"))
        all.expected("id", "another name, since every entry has an `id`");
    for (auto const& [name, value] : attributes) {
        auto declared = declare_attribute(name, all.object(name), layout);
        auto& attribute = declared.attribute;
        attribute.is_private |= std::ranges::count(private_names, attribute.name) > 0;
        attribute.is_creator = declaration.type.kind != ContentType::Kind::component &&
                               (name == "createdBy" || name == "updatedBy");
        attribute.may_be_missing =
            std::ranges::count(cms.builtin.recent,
                               std::pair(std::string_view(file.uid), std::string_view(name))) > 0;
        declared.is_localizations = declaration.type.kind != ContentType::Kind::component &&
                                    name == localizations_attribute;
        declaration.attributes.push_back(std::move(declared));
    }
    if (!problem.empty()) return schema_error(file.path + ": " + problem);
    return declaration;
}

} // namespace db
