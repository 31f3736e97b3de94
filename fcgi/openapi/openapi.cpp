#include "fcgi/openapi/openapi.hpp"

#include "fcgi/access/route.hpp"
#include "fcgi/openapi/schemas.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace fcgi {

using db::Action;
using db::ContentType;

namespace {

constexpr std::string_view skeleton = R"json({
"openapi": "3.1.0",
"info": {
  "title": "Content API"
},
"servers": [{"url": "/"}],
"security": [{}, {"bearer": []}],
"tags": [],
"paths": {
  "/_health": {
    "get": {
      "operationId": "health",
      "summary": "Whether the service runs, whatever the database does",
      "security": [],
      "responses": {"204": {"description": "it runs"}}
    }
  }
},
"components": {
  "securitySchemes": {
    "bearer": {
      "type": "http",
      "scheme": "bearer",
      "description": "a JWT of the users-permissions plugin, or an API token; a request without one has the public role"
    }
  },
  "parameters": {
    "id": {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}
  }
}
})json";

constexpr std::string_view further_parameters = R"json({
"_q": {
  "name": "_q", "in": "query", "schema": {"type": "string"},
  "description": "only entries that have this text in one of their attributes"
},
"start": {
  "name": "start", "in": "query", "schema": {"type": "integer", "minimum": 0},
  "description": "number of entries to skip"
},
"limit": {
  "name": "limit", "in": "query", "schema": {"type": "integer", "minimum": -1},
  "description": "maximum number of entries; -1 and 0: all"
}
})json";

constexpr std::pair<int, std::string_view> error_meanings[] = {
    {400, "the message names the parameter and what was expected"},
    {401, "no or wrong credentials"},
    {403, "the caller may not do this"},
    {404, "there is no such entry or route"},
    {502, "the database is unreachable or cannot be used; Retry-After says when to try again"},
    {503, "the server is overloaded; Retry-After says when to try again"},
    {504, "the request takes too long"},
};

json::object object_of(json::object properties) {
    json::array required;
    for (auto const& member : properties)
        required.emplace_back(member.key());
    return {{"type", "object"},
            {"required", std::move(required)},
            {"properties", std::move(properties)}};
}

json::object with_members(json::object entry, json::object properties) {
    return {{"allOf", json::array{std::move(entry), object_of(std::move(properties))}}};
}

json::object pagination_parameter(db::ApiOptions const& api) {
    std::string description = "a page, or `start` and `limit`, not both.";
    if (api.max_limit)
        description += " A response has at most " + std::to_string(*api.max_limit) + " entries.";
    json::object const count{{"type", "integer"}, {"minimum", 1}, {"default", api.default_limit}};
    json::object properties{
        {"page", json::object{{"type", "integer"}, {"minimum", 1}, {"default", 1}}},
        {"pageSize", count},
        {"start", json::object{{"type", "integer"}, {"minimum", 0}, {"default", 0}}},
        {"limit", json::object{{"type", "integer"}, {"minimum", -1}, {"description", "-1: all"}}},
        {"withCount", json::object{{"type", "boolean"}, {"default", api.with_count}}}};
    return {{"name", "pagination"},
            {"in", "query"},
            {"style", "deepObject"},
            {"explode", true},
            {"description", std::move(description)},
            {"example", json::object{{"page", 1}}}, // without it, tools make up one with both forms
            {"schema", json::object{{"type", "object"},
                                    {"properties", std::move(properties)},
                                    {"additionalProperties", false}}}};
}

// The operation of one route.
class Operation {
  public:
    Operation(Schemas& schemas, Route const& route)
        : schemas_(schemas), route_(route), type_(*route.target.type) {}

    json::object document();

  private:
    std::string id() const;
    std::string summary() const;
    json::array parameters();
    std::string_view component(std::string_view name) const;
    json::object parameter(std::string_view name);
    json::object given(std::string_view name, json::object parameter) const;
    json::object response_content();
    json::object responses();

    Schemas& schemas_;
    Route const& route_;
    ContentType const& type_;
};

std::string Operation::id() const {
    if (!route_.kind->operation.empty()) return std::string(route_.kind->operation);
    std::string const name = schemas_.name(type_);
    if (route_.target.action == Action::find) return "list" + name;
    return (route_.target.action == Action::count ? "count" : "get") + name;
}

std::string Operation::summary() const {
    if (!route_.kind->summary.empty()) return std::string(route_.kind->summary);
    switch (route_.target.action) {
    case Action::find:
        return "List " + type_.plural;
    case Action::count:
        return "Count " + type_.plural;
    case Action::find_single:
        return "The " + type_.singular;
    case Action::find_one:
        break;
    }
    return "One " + type_.singular;
}

// Returns the name of a parameter among those that routes share.
std::string_view Operation::component(std::string_view name) const {
    bool const one = route_.target.action != Action::find;
    return name == "locale" && one ? schemas_.dialect().one_locale : name;
}

json::object Operation::parameter(std::string_view name) {
    json::object parameter{
        {"name", name}, {"in", "query"}, {"style", "deepObject"}, {"explode", true}};
    if (name == "fields") {
        parameter["style"] = "form";
        parameter["schema"] = list_of(schemas_.ref(type_, Facet::field));
    } else if (name == "populate") {
        parameter["schema"] = populate_forms(schemas_, type_);
    } else if (name == "filters") {
        parameter["schema"] = filters_forms(schemas_, type_);
    } else if (name == "sort") {
        parameter["schema"] = sort_forms(schemas_, type_);
    } else {
        return {{"$ref", "#/components/parameters/" + std::string(component(name))}};
    }
    return parameter;
}

json::array Operation::parameters() {
    json::array list;
    for (std::string_view const name : route_.parameters) {
        if (name == "locale" && !type_.localized) continue;
        if (name == "populate" && std::ranges::none_of(type_.attributes, is_populatable)) continue;
        list.push_back(given(name, parameter(name)));
    }
    return list;
}

// Notes in a parameter which value the route's middleware sets, always or if it is absent.
json::object Operation::given(std::string_view name, json::object parameter) const {
    if (!route_.effect) return parameter;
    auto const* const always = route_.effect->always.find(name);
    auto const* const absent = route_.effect->absent.find(name);
    if (always) parameter["deprecated"] = true;
    if (always) parameter["description"] = "has no effect: it is always " + dump(*always);
    if (absent && !always) parameter["description"] = "default: " + dump(*absent);
    return parameter;
}

// Returns the schema of the body of a 200.
json::object Operation::response_content() {
    Action const action = route_.target.action;
    if (action == Action::count) return {{"type", "integer"}};
    bool const is_list = action == Action::find;
    bool const in_envelope = route_.kind->form == ResponseForm::envelope;
    json::object entry = schemas_.ref(type_, in_envelope ? Facet::entry : Facet::flat);
    switch (route_.kind->form) {
    case ResponseForm::envelope:
        if (!is_list)
            return object_of(
                {{"data", std::move(entry)}, {"meta", json::object{{"type", "object"}}}});
        return object_of({{"data", list_of(std::move(entry))},
                          {"meta", object_of({{"pagination", Schemas::ref("Pagination")}})}});
    case ResponseForm::files:
        entry = with_members(std::move(entry), {{"isUrlSigned", json::object{{"const", false}}}});
        if (route_.kind->has_pages)
            return object_of({{"data", list_of(std::move(entry))},
                              {"meta", object_of({{"pagination", Schemas::ref("Pagination")}})}});
        break;
    case ResponseForm::locales:
        return list_of(
            with_members(std::move(entry), {{"isDefault", json::object{{"type", "boolean"}}}}));
    case ResponseForm::roles:
        return object_of(
            {{"roles", list_of(with_members(std::move(entry),
                                            {{"nb_users", json::object{{"type", "integer"}}}}))}});
    case ResponseForm::plain:
    case ResponseForm::content_types: // has no type: see declared_operation()
    case ResponseForm::components:
    case ResponseForm::none:
        break;
    }
    return is_list ? list_of(std::move(entry)) : entry;
}

json::object responses_of(std::string_view description, json::object schema, bool may_be_404) {
    json::object content{{"application/json", json::object{{"schema", std::move(schema)}}}};
    json::object responses{
        {"200", json::object{{"description", description}, {"content", std::move(content)}}}};
    for (auto const& [status, meaning] : error_meanings) {
        if (status == 404 && !may_be_404) continue;
        std::string const code = std::to_string(status);
        responses[code] = {{"$ref", "#/components/responses/" + code}};
    }
    return responses;
}

json::object Operation::responses() {
    bool const may_be_missing =
        route_.target.action == Action::find_one || route_.target.action == Action::find_single;
    bool const is_silent = route_.kind->missing == Missing::no_content;
    json::object responses =
        responses_of(summary(), response_content(), may_be_missing && !is_silent);
    if (may_be_missing && is_silent) responses["204"] = {{"description", "there is no entry"}};
    return responses;
}

json::object Operation::document() {
    json::object operation{{"operationId", id()},
                           {"summary", summary()},
                           {"tags", json::array{schemas_.name(type_)}},
                           {"x-content-type", type_.uid},
                           {"x-permission", route_.scope},
                           {"parameters", parameters()},
                           {"responses", responses()}};
    if (route_.kind->is_personal)
        operation["security"] = json::array{json::object{{"bearer", json::array()}}};
    return operation;
}

json::object error_responses() {
    json::object responses;
    for (auto const& [status, description] : error_meanings) {
        json::object const schema{{"schema", Schemas::ref("Error")}};
        responses[std::to_string(status)] = {
            {"description", description}, {"content", json::object{{"application/json", schema}}}};
    }
    return responses;
}

json::object declared_parameter(std::string_view name) {
    json::object const text{{"type", "string"}};
    if (name == "uid")
        return {{"name", name}, {"in", "path"}, {"required", true}, {"schema", text}};
    return {{"name", name},
            {"in", "query"},
            {"schema", json::object{{"enum", json::array{"collectionType", "singleType"}}}}};
}

// Returns the operation of a route to what schema files declare, which is no entry of any type.
json::object declared_operation(Route const& route) {
    RouteKind const& kind = *route.kind;
    bool const one = kind.action == Action::find_one;
    json::object const declared = object_of(
        {{"uid", json::object{{"type", "string"}}}, {"schema", json::object{{"type", "object"}}}});
    json::object const body = object_of({{"data", one ? declared : list_of(declared)}});
    json::array parameters;
    for (std::string_view const name : route.parameters)
        parameters.push_back(declared_parameter(name));
    return {{"operationId", kind.operation},
            {"summary", kind.summary},
            {"x-permission", route.scope},
            {"parameters", std::move(parameters)},
            {"responses", responses_of(kind.summary, body, one)}};
}

// Returns /api/articles/{id} for `/api/articles/:id`.
std::string path_of(ServedRoute const& served, std::string const& prefix) {
    std::string path = prefix + '/' + served.path;
    if (auto const colon = path.find(':'); colon != path.npos)
        path.replace(colon, 1, "{").append("}");
    return path;
}

} // namespace

std::string openapi_document(db::Schema const& schema, Options const& options, DocumentForm form) {
    json::object document = json::parse(skeleton).as_object();
    Schemas schemas(schema, form, options.api.document_format);
    document["info"].as_object()["description"] = schemas.dialect().about;
    document["info"].as_object()["version"] = POPULATE_VERSION;
    json::array& tags = document["tags"].as_array();
    for (ServedRoute const& served : served_routes(schema)) {
        auto const* type = served.route.target.type;
        json::object operation =
            type ? Operation(schemas, served.route).document() : declared_operation(served.route);
        document["paths"].as_object().emplace(path_of(served, options.prefix),
                                              json::object{{"get", std::move(operation)}});
        if (!type) continue;
        json::object const tag{{"name", schemas.name(*type)}};
        if (std::ranges::find(tags, json::value(tag)) == tags.end()) tags.push_back(tag);
    }
    json::object& components = document["components"].as_object();
    json::object& parameters = components["parameters"].as_object();
    add_members(parameters, schemas.dialect().parameters);
    if (!schema.cms.reading.has_publication_filter)
        for (char const* name : {"publicationFilter", "hasPublishedVersion"})
            parameters.erase(name);
    add_members(parameters, further_parameters);
    parameters["pagination"] = pagination_parameter(options.api);
    if (schemas.are_flat()) parameters["locale"].as_object()["schema"] = {{"type", "string"}};
    components["responses"] = error_responses();
    components["schemas"] = schemas.all();
    return json::serialize(document);
}

parser::Result<Representation> DocumentCache::find(DocumentForm form,
                                                   parser::Deadline const& deadline) {
    std::unique_lock const lock(mutex_, deadline.at);
    if (!lock)
        return parser::timed_out(options_.limits, &parser::Limits::request,
                                 "waiting for the OpenAPI document");
    auto& made = made_.at(static_cast<std::size_t>(form));
    if (!made) {
        Representation representation;
        representation.body =
            Body(std::make_shared<std::string const>(openapi_document(*schema_, options_, form)));
        add_entity_tag(representation);
        made = std::move(representation);
    }
    return *made;
}

} // namespace fcgi
