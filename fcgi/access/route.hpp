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

// The JSON that a route answers: fcgi/answer/forms.hpp says who binds and writes each, and
// fcgi/openapi how it is described.
enum class Form : std::uint8_t {
    envelope, // entries of the project's own types
    plain,    // entries of a plugin's type, without envelope
    files,    // of Strapi 5: each entry says whether its URL is signed
    locales,
    roles,
    content_types, // what their schema files declare: all, or the one whose UID is the id
    components,
    none, // the CMS alone has an answer, for who may ask
};

// What is answered where there is no entry.
enum class Missing : std::uint8_t { not_found, file_not_found, no_content };

// What is special about a route: a row of the tables in route.cpp.
struct RouteKind {
    // Below the prefix; what begins with a colon stands for any one segment. Of the project's own
    // types: empty, since it is theirs.
    std::string_view path = {};
    std::string_view uid = {}; // of its type; empty: any of the project's, or none
    db::Action action = db::Action::find;
    std::string_view scope = {}; // what the caller must be granted; `.find` of any type
    Form form = Form::plain;
    // That it takes, by name; of the project's own types see db::RouteRules.
    std::span<std::string_view const> parameters = {};
    Missing missing = Missing::not_found;
    bool has_pages = false;      // a list in an envelope, with `pagination`
    bool populates_only = false; // see db::Target
    // Equal requests of callers with equal rights differ: neither plan nor answer is shared.
    bool is_personal = false;
    // For OpenAPI, where type and action do not say it.
    std::string_view operation = {};
    std::string_view summary = {};
};

// What a path stands for.
struct Route {
    RouteKind const* kind = nullptr;       // null: for nothing
    db::Target target = {.type = nullptr}; // without type where schema files alone are asked
    std::string scope = {};                // what the caller must be granted
    std::span<std::string_view const> parameters = {}; // that it takes, by name
    // What its middleware gives each request; null: it has none.
    parser::DefaultParameters const* defaults = nullptr;
};

// Paths are matched as raw bytes, in any letter case, with or without one slash at the end; an id
// is percent-decoded. `prefix` is `/api`. A type that has code of its own has no route here, nor an
// action with a middleware for which nothing stands, nor have routes that need the CMS's code, but
// for those of Form::none.
Route find_route(std::string_view path, std::string_view prefix, db::Schema const& schema);

// What comes after the prefix and a slash; absent where the path is not below it.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix);

// Every route that find_route knows, by its path below the prefix: `articles`, `articles/:id`,
// or `articles/:documentId`.
struct ServedRoute {
    std::string path;
    Route route;
};
std::vector<ServedRoute> served_routes(db::Schema const& schema);

// Whether a plugin's route answers entries of the type.
bool has_plugin_route(db::ContentType const& type, db::RouteRules const& rules);

// What the process answers of itself, not below the prefix.
enum class ServiceRoute : std::uint8_t {
    health, // /_health: the process answers, whatever the database does
    ready,  // /_ready: whether a request could be answered now
    // The documents of fcgi/openapi/openapi.hpp, where the option is on.
    document,      // /_openapi
    flat_document, // /_openapi/flat
};
std::optional<ServiceRoute> find_service_route(std::string_view path);
// Of /_explain/api/articles: /api/articles, whose explanation (fcgi/answer/explain.hpp) is asked
// for.
std::optional<std::string_view> explained_path(std::string_view path);

} // namespace fcgi
