#include "fcgi/openapi/schemas.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cstdlib>

namespace fcgi {

using db::ContentType;

namespace {

constexpr std::pair<Facet, std::string_view> suffixes[] = {
    {Facet::entry, ""},
    {Facet::flat, "Flat"},
    {Facet::field, "Field"},
    {Facet::filters, "Filters"},
    {Facet::sort, "Sort"},
    {Facet::own_sort, "OwnSort"},
    {Facet::populate, "Populate"},
    {Facet::options, "Options"},
    {Facet::entry_scalars, "Scalars"},
    {Facet::flat_scalars, "FlatScalars"},
};

constexpr std::string_view fixed_schemas = R"json({
"Error": {
  "type": "object",
  "required": ["data", "error"],
  "properties": {
    "data": {"type": "null"},
    "error": {
      "type": "object",
      "required": ["status", "name", "message"],
      "properties": {
        "status": {"type": "integer"},
        "name": {"type": "string", "examples": ["ValidationError"]}
      }
    }
  }
},
"Pagination": {
  "type": "object",
  "description": "page and pageSize, or start and limit, as in the request; without pageCount and total if withCount is false",
  "properties": {
    "page": {"type": "number"},
    "pageSize": {"type": "integer"},
    "pageCount": {"type": "integer"},
    "start": {"type": "integer"},
    "limit": {"type": "integer", "description": "-1: no limit"},
    "total": {"type": "integer"}
  },
  "dependentRequired": {
    "page": ["pageSize"], "pageSize": ["page"], "pageCount": ["page", "total"],
    "start": ["limit"], "limit": ["start"]
  }
},
"RelationCount": {
  "type": "object",
  "description": "the value of a relation that is populated with count=true",
  "required": ["data"],
  "properties": {
    "data": {
      "type": "object",
      "required": ["attributes"],
      "properties": {"attributes": {"$ref": "#/components/schemas/ComponentCount"}}
    }
  }
},
"ComponentCount": {
  "type": "object",
  "description": "the value of a component that is populated with count=true",
  "required": ["count"],
  "properties": {"count": {"type": "integer"}}
},
"Direction": {"enum": ["asc", "desc"]},
"SortPath": {
  "type": "string",
  "description": "an attribute or a dotted path to one, with `:desc` for the reverse; commas separate several",
  "examples": ["id:desc"]
},
"PopulatePath": {
  "type": "string",
  "description": "names or dotted paths of them, separated by commas; or `*` alone: everything, one level down",
  "examples": ["*"]
}
})json";

// Replaces the schema of that name where entries are flat.
constexpr std::string_view flat_count = R"json({
"RelationCount": {
  "type": "object",
  "description": "the value of a relation that is populated with count=true",
  "required": ["count"],
  "properties": {"count": {"type": "integer"}}
}
})json";

// These stand for the cycles of the deep form in the flat one. Tools send the example unless they
// are told otherwise.
constexpr std::string_view flat_schemas = R"json({
"Filters": {
  "type": "object",
  "description": "conditions by attribute, in bracket notation also through relations, `$and`, `$or`, `$not`",
  "examples": [{}]
},
"Populate": {
  "type": "object",
  "description": "by attribute, what to populate: true, or an object with fields, populate, filters, sort",
  "examples": [{}]
}
})json";

constexpr Dialect dialect4{
    .about = "The read part of Strapi 4's REST API. Objects in a query are written in bracket "
             "notation at any depth, as the npm package qs does: `populate[author][fields]=name`.",
    .parameters = R"json({
"publicationState": {
  "name": "publicationState", "in": "query",
  "schema": {"$ref": "#/components/schemas/PublicationState"}
},
"locale": {
  "name": "locale", "in": "query", "style": "deepObject", "explode": true,
  "description": "entries in this language, by its code, instead of the default one; `all`: in any language (the response for a single type is then a list)",
  "schema": {"$ref": "#/components/schemas/TextFilter"}
}
})json",
    .schemas = R"json({
"PublicationState": {
  "description": "live: published entries only, here and below; preview: drafts as well",
  "enum": ["live", "preview"]
}
})json",
    .error = R"json({
"message": {"type": "string", "examples": ["Invalid parameter title"]},
"details": {"type": "object"}
})json",
    .one_locale = "locale",
    .options = R"json({
"ordering": {"$ref": "#/components/schemas/Direction", "description": "desc: reverses the stored order"},
"publicationState": {"$ref": "#/components/schemas/PublicationState"}
})json",
    .polymorphic_options = R"json({
"fields": {"type": "array", "items": {"type": "string", "examples": ["id"]}},
"populate": {
  "anyOf": [{"$ref": "#/components/schemas/PopulatePath"}, {"type": "object"}],
  "description": "each type uses the names that it has"
}
})json",
    .polymorphic_windows = true,
    .zone_options = "{}",
    .populated_sort_leads_on = true};

// Strapi 5.54
constexpr Dialect dialect5{
    .about = "The read part of Strapi 5's REST API. Objects in a query are written in bracket "
             "notation at any depth, as the npm package qs does: `populate[author][fields]=name`.",
    .parameters = R"json({
"documentId": {
  "name": "documentId", "in": "path", "required": true, "schema": {"type": "string"},
  "description": "id of the document; its entries in all languages, drafts and published, have the same"
},
"status": {
  "name": "status", "in": "query",
  "schema": {"$ref": "#/components/schemas/Status"}
},
"publicationFilter": {
  "name": "publicationFilter", "in": "query",
  "schema": {"$ref": "#/components/schemas/PublicationFilter"}
},
"hasPublishedVersion": {
  "name": "hasPublishedVersion", "in": "query", "deprecated": true,
  "description": "true: publicationFilter=has-published-version-document; false: never-published-document",
  "schema": {"type": "boolean"}
},
"locale": {
  "name": "locale", "in": "query", "style": "deepObject", "explode": true,
  "description": "entries in this language, by its code, instead of the default one; `*`: in any language",
  "schema": {"$ref": "#/components/schemas/TextFilter"}
},
"localeOfOne": {
  "name": "locale", "in": "query", "schema": {"type": "string"},
  "description": "the entry in this language, by its code, instead of the default one"
}
})json",
    .schemas = R"json({
"Status": {
  "description": "published: published entries only, here and below; draft: drafts only",
  "enum": ["published", "draft"]
},
"PublicationFilter": {
  "description": "only entries of the requested status whose document also has such entries of the other status, here and below; in the same language, or with `-document` in any",
  "enum": [
    "never-published", "has-published-version", "modified", "unmodified",
    "never-published-document", "has-published-version-document",
    "published-without-draft", "published-with-draft"
  ]
}
})json",
    .error = R"json({
"message": {"type": "string", "examples": ["Invalid key title"]},
"details": {
  "type": "object",
  "properties": {
    "key": {"type": "string", "description": "the name that is not allowed"},
    "path": {"type": ["string", "null"], "description": "path to it, with dots between attributes"},
    "source": {"type": "string", "examples": ["query"]},
    "param": {"type": "string", "examples": ["filters"], "description": "the parameter that contains it"}
  }
}
})json",
    .one_locale = "localeOfOne",
    .options = "{}",
    .polymorphic_options = "{}",
    .polymorphic_windows = false,
    .zone_options = R"json({
"populate": {"const": "*", "description": "everything in its parts, one level down"}
})json",
    .populated_sort_leads_on = false};

// Returns Article for `api::article.article`, UploadFile for `plugin::upload.file`, and
// SharedSeoComponent for `shared.seo`.
std::string wanted_name(ContentType const& type) {
    std::string_view uid = type.uid;
    if (uid.starts_with("api::") || uid.starts_with("plugin::"))
        uid.remove_prefix(uid.find(':') + 2);
    std::size_t const dot = uid.find('.');
    if (uid.substr(0, dot) == uid.substr(std::min(dot, uid.size() - 1) + 1))
        uid = uid.substr(0, dot);
    std::string const name = pascal_case(uid);
    return type.kind == ContentType::Kind::component ? name + "Component" : name;
}

json::object build(Schemas& schemas, ContentType const& type, Facet facet) {
    switch (facet) {
    case Facet::entry:
    case Facet::flat:
    case Facet::entry_scalars:
    case Facet::flat_scalars:
        return entry_schema(schemas, type, facet);
    case Facet::field:
        return field_schema(type);
    case Facet::filters:
        return filters_schema(schemas, type);
    case Facet::sort:
        return sort_schema(schemas, type);
    case Facet::own_sort:
        return own_sort_schema(type);
    case Facet::populate:
        return populate_schema(schemas, type);
    case Facet::options:
        return options_schema(schemas, type);
    }
    return {};
}

std::string_view suffix(Facet facet) {
    return std::ranges::find(suffixes, facet, [](auto& pair) { return pair.first; })->second;
}

json::object fixed(DocumentForm form, db::Cms const& cms, db::JsonRules const& rules) {
    Dialect const& dialect = dialect_of(cms.version);
    json::object schemas = json::parse(fixed_schemas).as_object();
    json::object& error = schemas["Error"].at("properties").at("error").as_object();
    add_members(error["properties"].as_object(), dialect.error);
    add_members(schemas, dialect.schemas);
    if (!cms.reading.has_publication_filter) schemas.erase("PublicationFilter");
    if (!rules.has_attributes) add_members(schemas, flat_count);
    if (form == DocumentForm::deep)
        add_shared_filters(schemas, cms.rules);
    else
        add_members(schemas, flat_schemas);
    return schemas;
}

} // namespace

Dialect const& dialect_of(db::Version version) {
    switch (version) {
    case db::Version::strapi4:
        return dialect4;
    case db::Version::strapi5:
        return dialect5;
    }
    std::abort();
}

json::object any_of(json::array alternatives) {
    return {{"anyOf", std::move(alternatives)}};
}

json::object list_of(json::object items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

json::object or_null(json::object schema) {
    return any_of({std::move(schema), json::object{{"type", "null"}}});
}

void add_members(json::object& object, std::string_view members) {
    json::object const added = json::parse(members).as_object();
    for (auto const& [name, value] : added)
        object[name] = value;
}

std::string pascal_case(std::string_view words) {
    std::string name;
    bool word_starts = true;
    for (char const c : words) {
        bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool const digit = c >= '0' && c <= '9';
        if (letter || digit)
            name += word_starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        word_starts = !letter && !digit;
    }
    return name;
}

Schemas::Schemas(db::Schema const& schema, DocumentForm form, db::ReadPlan::Format format)
    : schema_(schema),
      form_(form),
      dialect_(dialect_of(schema.cms.version)),
      json_(db::json_of(schema.cms, format)) {
    for (auto const& member : fixed(form, schema.cms, json_))
        taken_.emplace(member.key());
    for (auto const& [uid, type] : schema.types) {
        std::string const wanted = wanted_name(*type);
        std::string name = wanted;
        auto const is_taken = [&](auto const& pair) {
            return taken_.contains(name + std::string(pair.second));
        };
        for (int i = 2; name.empty() || std::ranges::any_of(suffixes, is_taken); ++i)
            name = wanted + std::to_string(i);
        for (auto const& pair : suffixes)
            taken_.insert(name + std::string(pair.second));
        names_.emplace(type.get(), std::move(name));
    }
}

json::object Schemas::ref(std::string_view name) {
    return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

json::object Schemas::ref(ContentType const& type, Facet facet) {
    if (!json_.has_attributes && facet == Facet::flat) facet = Facet::entry;
    if (!json_.has_attributes && facet == Facet::flat_scalars) facet = Facet::entry_scalars;
    if (known_.emplace(&type, facet).second) waiting_.emplace_back(&type, facet);
    return ref(name(type).append(suffix(facet)));
}

std::string Schemas::name(ContentType const& type) const {
    return names_.at(&type);
}

std::vector<ContentType const*> Schemas::targets(db::Attribute const& attribute) const {
    if (attribute.target) return {attribute.target};
    if (!attribute.is_relation()) return attribute.targets;
    std::vector<ContentType const*> types;
    for (auto const& [uid, type] : schema_.types)
        if (schema_.actions.contains(uid + ".find")) types.push_back(type.get());
    return types;
}

json::object Schemas::add(std::string const& wanted, json::object schema) {
    std::string free = wanted;
    for (int i = 2; !taken_.insert(free).second; ++i)
        free = wanted + std::to_string(i);
    built_.emplace(free, std::move(schema));
    return ref(free);
}

json::object Schemas::all() {
    while (!waiting_.empty()) {
        auto const [type, facet] = waiting_.back();
        waiting_.pop_back();
        built_.emplace(name(*type).append(suffix(facet)), build(*this, *type, facet));
    }
    json::object schemas = fixed(form_, schema_.cms, json_);
    for (auto& [schema_name, schema] : built_)
        schemas[schema_name] = std::move(schema);
    return schemas;
}

bool is_populatable(db::Attribute const& attribute) {
    return !attribute.is_scalar() && attribute.is_shown();
}

} // namespace fcgi
