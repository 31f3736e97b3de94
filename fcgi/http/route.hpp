#pragma once

#include "db/plan/bind.hpp"
#include "db/schema/schema.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// What a path stands for.
struct Route {
    enum class Kind : std::uint8_t {
        unknown,
        content, // entries of the project's own types
        plain,   // entries of a plugin's type, without envelope
        me,      // the user who asks
        locales,
        roles,
        content_types, // what their schema files declare: all, or the one whose UID is the id
        components,
    };
    Kind kind = Kind::unknown;
    db::Target target = {.type = nullptr}; // of content_types and components: no type
    std::string scope = {};                // what the caller must be granted
};

// Paths are matched as raw bytes, in any letter case, with or without one slash at the end; an id
// is percent-decoded. `prefix` is `/api`. A type that has code of its own has no route here, and
// neither have the plugins' routes that need the CMS's code.
Route find_route(std::string_view path, std::string_view prefix, db::Schema const& schema);

// For the operator: why a path has no route, with the file that a type is not served for.
std::string why_unknown(std::string_view path, std::string_view prefix, db::Schema const& schema);

// Every route that find_route knows, by its path below the prefix: `articles`, `articles/:id`.
struct ServedRoute {
    std::string path;
    Route route;
};
std::vector<ServedRoute> served_routes(db::Schema const& schema);

// Whether a plugin's route answers entries of the type.
bool has_plugin_route(db::ContentType const& type);

// /_health, which says that the process answers, whatever the database does.
bool is_health(std::string_view path);
// /_ready: whether a request could be answered now.
bool is_ready(std::string_view path);
// /_openapi and /_openapi/flat, the documents of fcgi/openapi/openapi.hpp where the option is on.
enum class DocumentForm : std::uint8_t;
std::optional<DocumentForm> asked_document(std::string_view path);
// Of /_explain/api/articles: /api/articles, whose explanation (fcgi/answer/explain.hpp) is asked
// for.
std::optional<std::string_view> explained_path(std::string_view path);

} // namespace fcgi
