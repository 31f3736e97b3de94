#include "fcgi/http/route.hpp"

#include "fcgi/openapi/openapi.hpp"
#include "parser/base/closest_name.hpp"
#include "parser/percent_decode.hpp"

#include <algorithm>

namespace fcgi {

using db::Action;
using Kind = Route::Kind;

namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    auto const lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::string decoded(std::string_view segment) {
    std::string text(segment);
    text.resize(parser::decode_escapes(text).size());
    parser::replace_invalid_utf8(text); // it goes to the database
    return text;
}

// The read routes of the users-permissions, upload, i18n and content-type-builder plugins of
// Strapi 4.26. What begins with a colon stands for any one segment; what is fixed comes first.
struct PluginRoute {
    std::string_view path;
    Kind kind;
    Action action;
    std::string_view uid; // empty: it answers no entries
    std::string_view scope;
};
constexpr std::string_view user = "plugin::users-permissions.user";
constexpr std::string_view file = "plugin::upload.file";
constexpr PluginRoute plugin_routes[] = {
    {"users", Kind::plain, Action::find, user, "plugin::users-permissions.user.find"},
    {"users/me", Kind::me, Action::find_one, user, "plugin::users-permissions.user.me"},
    {"users/count", Kind::plain, Action::count, user, "plugin::users-permissions.user.count"},
    {"users/:id", Kind::plain, Action::find_one, user, "plugin::users-permissions.user.findOne"},
    {"upload/files", Kind::plain, Action::find, file, "plugin::upload.content-api.find"},
    {"upload/files/:id", Kind::plain, Action::find_one, file, "plugin::upload.content-api.findOne"},
    {"i18n/locales", Kind::locales, Action::find, "plugin::i18n.locale",
     "plugin::i18n.locales.listLocales"},
    {"users-permissions/roles", Kind::roles, Action::find, "plugin::users-permissions.role",
     "plugin::users-permissions.role.find"},
    {"content-type-builder/content-types",
     Kind::content_types,
     Action::find,
     {},
     "plugin::content-type-builder.content-types.getContentTypes"},
    {"content-type-builder/content-types/:uid",
     Kind::content_types,
     Action::find_one,
     {},
     "plugin::content-type-builder.content-types.getContentType"},
    {"content-type-builder/components",
     Kind::components,
     Action::find,
     {},
     "plugin::content-type-builder.components.getComponents"},
    {"content-type-builder/components/:uid",
     Kind::components,
     Action::find_one,
     {},
     "plugin::content-type-builder.components.getComponent"},
};

// The id if `path` is that of the route; empty if the route has none.
std::optional<std::string_view> match(PluginRoute const& route, std::string_view path) {
    std::size_t const fixed = route.path.find(':');
    if (fixed == route.path.npos) {
        if (!equal_ignoring_case(route.path, path)) return std::nullopt;
        return "";
    }
    if (path.size() <= fixed ||
        !equal_ignoring_case(route.path.substr(0, fixed), path.substr(0, fixed)))
        return std::nullopt;
    std::string_view const id = path.substr(fixed);
    if (id.find('/') != std::string_view::npos) return std::nullopt;
    return id;
}

// Absent if the type is not served.
std::optional<Route> plugin_route(PluginRoute const& route, std::string id,
                                  db::Schema const& schema) {
    db::ContentType const* type = schema.find(route.uid);
    bool const is_served = type && type->not_served.empty();
    if (!is_served && !route.uid.empty()) return std::nullopt;
    return Route{route.kind,
                 {.type = type, .action = route.action, .id = std::move(id), .plain = true},
                 std::string(route.scope)};
}

Route find_plugin_route(std::string_view path, db::Schema const& schema) {
    for (PluginRoute const& route : plugin_routes)
        if (auto const id = match(route, path))
            if (auto found = plugin_route(route, decoded(*id), schema)) return *std::move(found);
    return {};
}

// What comes after the prefix and a slash.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
    if (path.ends_with('/')) path.remove_suffix(1);
    if (path.size() <= prefix.size() || path[prefix.size()] != '/' ||
        !equal_ignoring_case(path.substr(0, prefix.size()), prefix))
        return std::nullopt;
    return path.substr(prefix.size() + 1);
}

bool is_service_route(std::string_view path, std::string_view name) {
    if (path.ends_with('/')) path.remove_suffix(1);
    return equal_ignoring_case(path, name);
}

Route content(db::ContentType const& type, Action action, std::string id) {
    std::string scope = type.uid;
    scope += action == Action::find_one ? ".findOne" : ".find";
    return {Kind::content, {&type, action, std::move(id)}, std::move(scope)};
}

} // namespace

bool is_health(std::string_view path) {
    return is_service_route(path, "/_health");
}

bool is_ready(std::string_view path) {
    return is_service_route(path, "/_ready");
}

std::optional<DocumentForm> asked_document(std::string_view path) {
    if (is_service_route(path, "/_openapi")) return DocumentForm::deep;
    if (is_service_route(path, "/_openapi/flat")) return DocumentForm::flat;
    return std::nullopt;
}

std::optional<std::string_view> explained_path(std::string_view path) {
    constexpr std::string_view route = "/_explain";
    auto const rest = path.substr(std::min(route.size(), path.size()));
    if (!rest.starts_with('/') || !equal_ignoring_case(path.substr(0, route.size()), route))
        return std::nullopt;
    return rest;
}

Route find_route(std::string_view path, std::string_view prefix, db::Schema const& schema) {
    auto const rest = below(path, prefix);
    if (!rest) return {};
    path = *rest;
    std::size_t const slash = path.find('/');
    db::ContentType const* type = schema.find_route(path.substr(0, slash));
    if (!type) return find_plugin_route(path, schema);
    if (!type->not_served.empty()) return {};
    bool const is_single = type->kind == db::ContentType::Kind::single;
    if (slash == std::string_view::npos)
        return content(*type, is_single ? Action::find_single : Action::find, {});
    std::string_view const id = path.substr(slash + 1);
    if (is_single || id.empty() || id.find('/') != std::string_view::npos) return {};
    return content(*type, Action::find_one, decoded(id));
}

std::string why_unknown(std::string_view path, std::string_view prefix, db::Schema const& schema) {
    auto const rest = below(path, prefix);
    if (!rest) return "the path is not below the prefix " + std::string(prefix);
    std::string const name(rest->substr(0, rest->find('/')));
    std::vector<std::string> known;
    for (auto const& [uid, type] : schema.types) {
        bool const is_single = type->kind == db::ContentType::Kind::single;
        std::string const& own = is_single ? type->singular : type->plural;
        std::string const& other = is_single ? type->plural : type->singular;
        if (!uid.starts_with("api::")) continue;
        auto const route = std::string(prefix) + '/' + own;
        if (equal_ignoring_case(other, name) && own != other)
            return uid + (is_single ? " is a single type, at " : " is a collection, at ") + route;
        known.push_back(own);
        if (!equal_ignoring_case(own, name)) continue;
        if (!type->not_served.empty()) return uid + " is not served: " + type->not_served;
        if (!type->has_routes) return uid + " has no routes: no file in the routes/ of its API";
        return "below " + route + " is nothing but entries by their id";
    }
    return "no content type is at " + std::string(prefix) + '/' + name + did_you_mean(name, known);
}

bool has_plugin_route(db::ContentType const& type) {
    return std::ranges::find(plugin_routes, type.uid, &PluginRoute::uid) != std::end(plugin_routes);
}

std::vector<ServedRoute> served_routes(db::Schema const& schema) {
    std::vector<ServedRoute> served;
    for (auto const& [name, type] : schema.routes) {
        if (!type->not_served.empty()) continue;
        if (type->kind == db::ContentType::Kind::single) {
            served.push_back({type->singular, content(*type, Action::find_single, {})});
            continue;
        }
        served.push_back({type->plural, content(*type, Action::find, {})});
        served.push_back({type->plural + "/:id", content(*type, Action::find_one, {})});
    }
    for (PluginRoute const& route : plugin_routes) {
        // The project's own types come first.
        if (schema.find_route(route.path.substr(0, route.path.find('/')))) continue;
        if (auto found = plugin_route(route, {}, schema))
            served.push_back({std::string(route.path), *std::move(found)});
    }
    return served;
}

} // namespace fcgi
