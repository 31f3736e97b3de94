#pragma once

#include "db/plan/bind.hpp"
#include "db/schema/schema.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// The JSON of a route's response: fcgi/handler/forms.hpp binds and writes each, and fcgi/openapi
// describes it.
enum class ResponseForm : std::uint8_t {
    envelope, // entries of the project's own types
    plain,    // entries of a plugin's type, without envelope
    files,    // of Strapi 5: each entry says whether its URL is signed
    locales,
    roles,
    content_types, // what their schema files declare: all, or the one whose UID is the id
    components,
    none, // only the CMS has a response, for callers that may ask
};

// The response if there is no entry.
enum class Missing : std::uint8_t { not_found, file_not_found, no_content };

// Says what is special about a route: a row of the tables in route.cpp.
struct RouteKind {
    // The path below the prefix; a segment that begins with a colon stands for any one. It is empty
    // for the project's own types, which bring theirs.
    std::string_view path = {};
    std::string_view uid = {}; // UID of its type; empty: any type of the project, or no type
    db::Action action = db::Action::find;
    std::string_view scope = {}; // what the caller must be granted; `.find` of any type
    ResponseForm form = ResponseForm::plain;
    // The names of the parameters that it takes; for the project's own types see db::RouteRules.
    std::span<std::string_view const> parameters = {};
    Missing missing = Missing::not_found;
    bool has_pages = false;      // a list in an envelope, with `pagination`
    bool populates_only = false; // see db::ReadTarget
    // Equal requests of callers with equal rights differ: neither plan nor response is shared.
    bool is_personal = false;
    // For OpenAPI, if it cannot derive them from type and action.
    std::string_view operation = {};
    std::string_view summary = {};
};

// The route that a path stands for.
struct Route {
    RouteKind const* kind = nullptr;                   // null: the path has no route
    db::ReadTarget target = {.type = nullptr};         // no type if only schema files are asked
    std::string scope = {};                            // what the caller must be granted
    std::span<std::string_view const> parameters = {}; // names of those that it takes
    // What the description says of it, if its middlewares change anything; else null.
    parser::QueryEffect const* effect = nullptr;
    // The names in place of `parameters` that the CMS lets through if it refuses any; null: these.
    std::vector<std::string> const* let_through = nullptr;
};

// Matches paths as raw bytes, in any letter case, with or without one slash at the end; an id is
// percent-decoded. `prefix` is `/api`, for example. A type that has code of its own has no route
// here, nor an action that is handed over, nor have routes that need the CMS's code, except those
// of ResponseForm::none.
Route find_route(std::string_view path, std::string_view prefix, db::Schema const& schema);

// Returns what comes after the prefix and a slash; absent if the path is not below it.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix);

// A route that find_route knows, with its path below the prefix: `articles`, `articles/:id`, or
// `articles/:documentId`. served_routes() has all of them except those of ResponseForm::none.
struct ServedRoute {
    std::string path;
    Route route;
};
std::vector<ServedRoute> served_routes(db::Schema const& schema);

// Returns whether a plugin's route answers entries of the type.
bool has_plugin_route(db::ContentType const& type, db::RouteRules const& rules);

// The routes that the process answers of itself, not below the prefix.
enum class ServiceRoute : std::uint8_t {
    health, // /_health: the process answers, whatever the database does
    ready,  // /_ready: whether a request could be answered now
    // The documents of fcgi/openapi/openapi.hpp, if the option is on.
    document,      // /_openapi
    flat_document, // /_openapi/flat
};
std::optional<ServiceRoute> find_service_route(std::string_view path);
// Returns /api/articles for /_explain/api/articles: the path whose explanation
// (fcgi/handler/explain.cpp) is asked for.
std::optional<std::string_view> explained_path(std::string_view path);

} // namespace fcgi
