#include "fcgi/handler/forms.hpp"

#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <boost/json.hpp>

#include <cstdlib>

namespace fcgi {

namespace json = boost::json;
using db::ContentType;

namespace {

parser::Result<db::ReadPlan> bind_query(RequestContext const& context, Options const& options,
                                        db::ReadPlan::Format document_format) {
    SiteState const& state = *context.state;
    db::ApiOptions api = options.api;
    if (api.default_locale.empty()) api.default_locale = state.site.default_locale;
    api.document_format = document_format;
    api.unlisted = context.unlisted;
    return db::bind(context.query, context.route.target, *state.schema, *context.caller.permissions,
                    api, options.limits);
}

WritingEnd append_entries(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                          db::Site const&, WritingLimits const& limits) {
    return append_envelope(out, plan, result, limits);
}

// Strapi 5.54: files are flat whatever format is asked for, as is all that plugins answer.
parser::Result<db::ReadPlan> bind_files(RequestContext const& context, Options const& options,
                                        db::ReadPlan::Format document_format) {
    auto plan = bind_query(context, options, document_format);
    if (plan) plan->json = &context.state->schema->cms.json;
    return plan;
}

// No URL is signed here: the CMS signs those of private buckets with its upload provider.
WritingEnd append_files(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                        db::Site const&, WritingLimits const& limits) {
    return append_envelope(out, plan, result, limits, ",\"isUrlSigned\":false");
}

// The lists of locales and roles have members of their own in Strapi 4.26 and take no parameters.
parser::Result<db::ReadPlan> bind_whole_list(RequestContext const& context, Options const& options,
                                             parser::Query const& query = {}) {
    static db::Permissions const everything(db::Permissions::AccessLevel::full);
    return db::bind(query, context.route.target, *context.state->schema, everything, {},
                    options.limits);
}

// `append_more` writes the member that the table has no column for.
void append_list(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                 auto append_more) {
    for (db::Row const& row : result.nodes[0].rows) {
        if (&row != &result.nodes[0].rows.front()) out += ',';
        append_columns(out, plan, result, row);
        append_more(row);
        out += '}';
    }
}

// [{"id","name","code",…,"isDefault"}]
parser::Result<db::ReadPlan> bind_locales(RequestContext const& context, Options const& options,
                                          db::ReadPlan::Format) {
    return bind_whole_list(context, options);
}

WritingEnd append_locales(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                          db::Site const& site, WritingLimits const&) {
    db::Node const& root = plan.nodes[0];
    out += '[';
    append_list(out, plan, result, [&](db::Row const& row) {
        bool is_default = false;
        for (std::size_t i = 0; i < root.columns.size(); ++i)
            if (root.columns[i]->name == "code")
                is_default = result.nodes[0].cells_of(row)[i] == site.default_locale;
        out += is_default ? ",\"isDefault\":true" : ",\"isDefault\":false";
    });
    out += ']';
    return WritingEnd::whole;
}

// {"roles":[{"id","name",…,"nb_users"}]}
parser::Result<db::ReadPlan> bind_roles(RequestContext const& context, Options const& options,
                                        db::ReadPlan::Format) {
    parser::Query query;
    parser::PopulateOptions counted;
    counted.count = true;
    query.selection.populate.edit().members.push_back({"users", std::move(counted)});
    return bind_whole_list(context, options, query);
}

WritingEnd append_roles(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                        db::Site const&, WritingLimits const&) {
    db::Branch const& users = plan.nodes[0].branches[0];
    out += "{\"roles\":[";
    append_list(out, plan, result, [&](db::Row const& row) {
        auto const counts = result.nodes[users.node].of(row.id);
        out.append(",\"nb_users\":").append(std::to_string(counts.empty() ? 0 : counts[0].id));
    });
    out += "]}";
    return WritingEnd::whole;
}

constexpr FormMaker entries{true, bind_query, append_entries};
constexpr FormMaker files{true, bind_files, append_files};
constexpr FormMaker locales{false, bind_locales, append_locales};
constexpr FormMaker roles{false, bind_roles, append_roles};

// What schema files declare.

json::object object_at(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value && value->is_object() ? value->get_object() : json::object();
}

bool is(json::object const& object, std::string_view key, bool expected) {
    auto const* value = object.if_contains(key);
    return value && value->is_bool() && value->get_bool() == expected;
}

// Copies nothing if there is none, as JSON.stringify does with undefined.
void copy(json::object const& from, std::string_view key, json::object& to) {
    if (auto const* value = from.if_contains(key)) to[key] = *value;
}

json::value first_of(json::object const& object, std::string_view key, std::string_view other) {
    for (auto const name : {key, other})
        if (auto const* value = object.if_contains(name); value && value->is_string())
            return *value;
    return nullptr;
}

json::object described_media(json::object const& declared) {
    json::object media{{"type", "media"},
                       {"multiple", is(declared, "multiple", true)},
                       {"required", is(declared, "required", true)}};
    if (is(declared, "configurable", false)) media["configurable"] = false;
    media["private"] = is(declared, "private", true);
    copy(declared, "allowedTypes", media);
    copy(declared, "pluginOptions", media);
    return media;
}

json::object described_relation(json::object relation, db::Cms const& cms) {
    relation["targetAttribute"] = first_of(relation, "inversedBy", "mappedBy");
    if (cms.builtin.relations_say_required) relation["required"] = is(relation, "required", true);
    if (!is(relation, "configurable", false)) relation.stable_erase("configurable");
    relation["private"] = is(relation, "private", true);
    return relation;
}

json::object described(db::Attribute const& attribute, json::object const& declared,
                       db::Cms const& cms) {
    if (attribute.type == db::AttributeType::media) return described_media(declared);
    if (attribute.type == db::AttributeType::relation) return described_relation(declared, cms);
    json::object scalar = declared;
    // This is the type that the CMS has resolved it to, as far as the column tells.
    if (attribute.is_custom) scalar["type"] = db::name_of(attribute.type);
    return scalar;
}

// Attributes that Strapi adds to every content type are invisible, also if a file declares them.
bool is_added(ContentType const& type, std::string_view name) {
    if (name == "createdAt" || name == "updatedAt") return true;
    if (type.kind == ContentType::Kind::component) return false;
    return name == "createdBy" || name == "updatedBy" ||
           (type.draft_and_publish && name == "publishedAt") ||
           (type.localized && (name == "locale" || name == "localizations"));
}

json::object attributes_of(ContentType const& type, json::object const& declared,
                           db::Cms const& cms) {
    json::object attributes;
    for (auto const& [name, value] : object_at(declared, "attributes")) {
        auto const* attribute = type.find(name);
        auto const* members = value.if_object();
        if (!attribute || !members || is_added(type, name) || is(*members, "visible", false))
            continue;
        attributes[name] = described(*attribute, *members, cms);
    }
    return attributes;
}

json::value description(json::object const& info) {
    auto const* text = info.if_contains("description");
    return text ? *text : json::value("");
}

// This is not the table's name, which Strapi 5 may have shortened.
json::value collection_name(ContentType const& type, json::object const& declared) {
    auto const* name = declared.if_contains("collectionName");
    return name ? *name : json::value(type.table);
}

json::object described_component(ContentType const& type, json::object const& declared,
                                 db::Cms const& cms) {
    json::object const info = object_at(declared, "info");
    json::object schema;
    copy(info, "displayName", schema);
    schema["description"] = description(info);
    copy(info, "icon", schema);
    copy(declared, "connection", schema);
    schema["collectionName"] = collection_name(type, declared);
    copy(declared, "pluginOptions", schema);
    schema["attributes"] = attributes_of(type, declared, cms);
    return {{"uid", type.uid},
            {"category", type.uid.substr(0, type.uid.find('.'))},
            {"apiId", type.singular},
            {"schema", std::move(schema)}};
}

std::string_view kind_of(ContentType const& type) {
    return type.kind == ContentType::Kind::single ? "singleType" : "collectionType";
}

// Since Strapi 5.32 these are in lists alone: asked for by its UID, one is not found.
bool is_hidden(json::object const& declared) {
    auto const builder = object_at(object_at(declared, "pluginOptions"), "content-type-builder");
    return builder.contains("visible") && !is(builder, "visible", true);
}

json::object described_content_type(ContentType const& type, json::object const& declared,
                                    db::Cms const& cms) {
    json::object const info = object_at(declared, "info");
    bool const hidden = is_hidden(declared);
    json::object schema{{"draftAndPublish", false}};
    for (auto const& [name, value] : object_at(declared, "options"))
        schema[name] = value;
    copy(info, "displayName", schema);
    schema["singularName"] = type.singular;
    schema["pluralName"] = type.plural;
    schema["description"] = description(info);
    copy(declared, "pluginOptions", schema);
    schema["kind"] = kind_of(type);
    schema["collectionName"] = collection_name(type, declared);
    schema["attributes"] = attributes_of(type, declared, cms);
    schema["visible"] = !hidden;
    bool const restricted = hidden || type.uid == "plugin::upload.file";
    schema["restrictRelationsTo"] = restricted ? json::value(json::array()) : json::value(nullptr);

    json::object described{{"uid", type.uid}};
    constexpr std::string_view plugin = "plugin::";
    if (type.uid.starts_with(plugin))
        described["plugin"] = type.uid.substr(plugin.size(), type.uid.find('.') - plugin.size());
    described["apiID"] = type.singular;
    described["schema"] = std::move(schema);
    return described;
}

bool is_shown(ContentType const& type, bool components, db::Cms const& cms) {
    bool const is_component = type.kind == ContentType::Kind::component;
    return type.not_served.empty() && is_component == components &&
           (is_component || type.uid.starts_with("api::") || has_plugin_route(type, cms.routes));
}

json::object declared_by(ContentType const& type) {
    return json::parse(type.declared).as_object();
}

void append_described(std::string& out, ContentType const& type, json::object const& declared,
                      db::Cms const& cms) {
    out += json::serialize(type.kind == ContentType::Kind::component
                               ? described_component(type, declared, cms)
                               : described_content_type(type, declared, cms));
}

// Returns the `kind` of a query; empty: any.
parser::Result<std::string> wanted_kind(std::string_view query) {
    auto const tree = parser::parse_query_string(query);
    auto const* kind = tree.root.find("kind");
    if (!kind) return std::string();
    auto const* text = kind->text();
    if (text && (*text == "singleType" || *text == "collectionType")) return *text;
    return parser::invalid_value("kind", "singleType or collectionType", text ? *text : "");
}

Representation missing(bool component) {
    Representation representation;
    representation.status = 404;
    representation.is_partial = true;
    representation.body.own() =
        component ? R"({"error":"component.notFound"})" : R"({"error":"contentType.notFound"})";
    return representation;
}

} // namespace

FormMaker const& maker_of(ResponseForm form) {
    switch (form) {
    case ResponseForm::envelope:
    case ResponseForm::plain:
        return entries;
    case ResponseForm::files:
        return files;
    case ResponseForm::locales:
        return locales;
    case ResponseForm::roles:
        return roles;
    case ResponseForm::content_types:
    case ResponseForm::components:
    case ResponseForm::none:
        break;
    }
    std::abort();
}

parser::Result<Representation> declared_representation(Route const& route, db::Schema const& schema,
                                                       std::string_view query) {
    bool const components = route.kind->form == ResponseForm::components;
    Representation representation;
    std::string& body = representation.body.own();
    if (route.target.action == db::Action::find_one) {
        auto const* type = schema.find(route.target.id);
        if (!type || !is_shown(*type, components, schema.cms)) return missing(components);
        auto const declared = declared_by(*type);
        representation.is_partial = is_hidden(declared);
        body = "{\"data\":";
        append_described(body, *type, declared, schema.cms);
        body += '}';
        return representation;
    }
    auto const kind = components ? std::string() : wanted_kind(query);
    if (!kind) return kind.error();
    representation.is_partial = !components; // components are the project's alone
    body = "{\"data\":[";
    for (auto const& [uid, type] : schema.types) {
        if (!is_shown(*type, components, schema.cms)) continue;
        if (!kind->empty() && *kind != kind_of(*type)) continue;
        if (body.back() != '[') body += ',';
        append_described(body, *type, declared_by(*type), schema.cms);
    }
    body += "]}";
    return representation;
}

} // namespace fcgi
