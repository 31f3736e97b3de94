#include "fcgi/access/route.hpp"

#include "parser/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fcgi {

using db::Action;

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

using Names = std::string_view const[];
constexpr Names entry_names = {"id", "fields", "populate"};
constexpr Names plain_list_names = {"fields", "populate", "filters", "sort",
                                    "start",  "limit",    "_q"};
constexpr Names page_names = {"fields", "populate", "filters", "sort", "pagination", "_q"};
constexpr Names count_names = {"filters", "_q"};
constexpr Names me_names = {"fields", "populate"};
constexpr Names declared_names = {"uid"};
constexpr Names declared_list_names = {"kind"};

// Routes of the project's own types. The version of the CMS says what their parameters are.
constexpr RouteKind collection_route{
    .action = Action::find, .scope = ".find", .form = ResponseForm::envelope};
constexpr RouteKind entry_route{
    .action = Action::find_one, .scope = ".findOne", .form = ResponseForm::envelope};
constexpr RouteKind single_route{
    .action = Action::find_single, .scope = ".find", .form = ResponseForm::envelope};

// The read routes of the users-permissions, upload, i18n and content-type-builder plugins of Strapi
// 4.26 and 5.54. Fixed paths come first.
constexpr std::string_view user = "plugin::users-permissions.user";
constexpr std::string_view file = "plugin::upload.file";
constexpr RouteKind user_routes[] = {
    {.path = "users",
     .uid = user,
     .action = Action::find,
     .scope = "plugin::users-permissions.user.find",
     .parameters = plain_list_names},
    {.path = "users/me",
     .uid = user,
     .action = Action::find_one,
     .scope = "plugin::users-permissions.user.me",
     .parameters = me_names,
     .missing = Missing::no_content,
     .is_personal = true,
     .operation = "me",
     .summary = "The user who sends the request"},
    {.path = "users/count",
     .uid = user,
     .action = Action::count,
     .scope = "plugin::users-permissions.user.count",
     .parameters = count_names},
    {.path = "users/:id",
     .uid = user,
     .action = Action::find_one,
     .scope = "plugin::users-permissions.user.findOne",
     .parameters = entry_names,
     .missing = Missing::no_content},
};

constexpr RouteKind list_of_files(ResponseForm form) {
    return {.path = "upload/files",
            .uid = file,
            .action = Action::find,
            .scope = "plugin::upload.content-api.find",
            .form = form,
            .parameters = plain_list_names};
}
constexpr RouteKind one_file(ResponseForm form) {
    return {.path = "upload/files/:id",
            .uid = file,
            .action = Action::find_one,
            .scope = "plugin::upload.content-api.findOne",
            .form = form,
            .parameters = entry_names,
            .missing = Missing::file_not_found,
            .populates_only = true};
}
constexpr RouteKind file_pages{.path = "upload/files/page",
                               .uid = file,
                               .action = Action::find,
                               .scope = "plugin::upload.content-api.findPage",
                               .form = ResponseForm::files,
                               .parameters = page_names,
                               .has_pages = true,
                               .operation = "pageFile",
                               .summary = "A page of files"};
constexpr RouteKind plain_file_routes[] = {list_of_files(ResponseForm::plain),
                                           one_file(ResponseForm::plain)};
constexpr RouteKind signed_file_routes[] = {list_of_files(ResponseForm::files),
                                            one_file(ResponseForm::files)};
constexpr RouteKind paged_file_routes[] = {list_of_files(ResponseForm::files), file_pages,
                                           one_file(ResponseForm::files)};

constexpr RouteKind other_plugin_routes[] = {
    {.path = "i18n/locales",
     .uid = "plugin::i18n.locale",
     .scope = "plugin::i18n.locales.listLocales",
     .form = ResponseForm::locales},
    {.path = "users-permissions/roles",
     .uid = "plugin::users-permissions.role",
     .scope = "plugin::users-permissions.role.find",
     .form = ResponseForm::roles},
    {.path = "content-type-builder/content-types",
     .action = Action::find,
     .scope = "plugin::content-type-builder.content-types.getContentTypes",
     .form = ResponseForm::content_types,
     .parameters = declared_list_names,
     .operation = "listContentTypes",
     .summary = "What the schema files declare"},
    {.path = "content-type-builder/content-types/:uid",
     .action = Action::find_one,
     .scope = "plugin::content-type-builder.content-types.getContentType",
     .form = ResponseForm::content_types,
     .parameters = declared_names,
     .operation = "getContentType",
     .summary = "What one schema file declares"},
    {.path = "content-type-builder/components",
     .action = Action::find,
     .scope = "plugin::content-type-builder.components.getComponents",
     .form = ResponseForm::components,
     .operation = "listComponents",
     .summary = "What the schema files declare"},
    {.path = "content-type-builder/components/:uid",
     .action = Action::find_one,
     .scope = "plugin::content-type-builder.components.getComponent",
     .form = ResponseForm::components,
     .parameters = declared_names,
     .operation = "getComponent",
     .summary = "What one schema file declares"},
};

std::array<std::span<RouteKind const>, 3> plugin_routes(db::RouteRules const& rules) {
    std::span<RouteKind const> files = plain_file_routes;
    if (rules.files_say_signed) files = signed_file_routes;
    if (rules.has_file_pages) files = paged_file_routes;
    return {user_routes, files, other_plugin_routes};
}

// Routes that need the CMS's code: callers that may not ask are told so here as well.
constexpr RouteKind cms_routes[] = {
    {.path = "users-permissions/roles/:id",
     .scope = "plugin::users-permissions.role.findOne",
     .form = ResponseForm::none},
    {.path = "users-permissions/permissions",
     .scope = "plugin::users-permissions.permissions.getPermissions",
     .form = ResponseForm::none},
    {.path = "connect/:provider",
     .scope = "plugin::users-permissions.auth.connect",
     .form = ResponseForm::none},
};

constexpr std::pair<std::string_view, ServiceRoute> own_routes[] = {
    {"/_health", ServiceRoute::health},
    {"/_ready", ServiceRoute::ready},
    {"/_openapi", ServiceRoute::document},
    {"/_openapi/flat", ServiceRoute::flat_document},
};

// Returns the id if `path` is that of the route; empty if the route has none.
std::optional<std::string_view> match(RouteKind const& route, std::string_view path) {
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

// Adds what a description says of the action. Returns whether it is served.
bool describe(Route& route) {
    db::ContentType const* const type = route.target.type;
    if (!type) return true;
    if (!type->not_served.empty()) return false;
    if (type->actions.empty()) return true;
    auto const scope = route.kind->scope;
    auto const name = scope.substr(scope.rfind('.') + 1);
    auto const action = type->actions.find(name == "listLocales" ? "find" : name);
    if (action == type->actions.end()) return true;
    db::DescribedAction const& described = action->second;
    if (!described.effect.empty()) route.effect = &described.effect;
    if (described.parameters) route.let_through = &*described.parameters;
    return described.handed_over.empty();
}

// Absent if the action is not served.
std::optional<Route> plugin_route(RouteKind const& kind, std::string id, db::Schema const& schema) {
    db::ContentType const* type = schema.find(kind.uid);
    if (!type && !kind.uid.empty()) return std::nullopt;
    std::optional route(Route{&kind,
                              {.type = type,
                               .action = kind.action,
                               .id = std::move(id),
                               .plain = !kind.has_pages,
                               .populates_only = kind.populates_only},
                              std::string(kind.scope),
                              kind.parameters});
    if (!describe(*route)) route.reset();
    return route;
}

Route find_plugin_route(std::string_view path, db::Schema const& schema) {
    for (auto const routes : plugin_routes(schema.cms.routes))
        for (RouteKind const& route : routes)
            if (auto const id = match(route, path)) // `users/me` is no `users/:id`
                return plugin_route(route, decoded(*id), schema).value_or(Route());
    for (RouteKind const& route : cms_routes)
        if (match(route, path)) return {.kind = &route, .scope = std::string(route.scope)};
    return {};
}

// Absent if the action is not served.
std::optional<Route> content_route(db::ContentType const& type, RouteKind const& kind,
                                   std::span<std::string_view const> parameters,
                                   std::string id = {}) {
    std::optional route(Route{&kind,
                              {&type, kind.action, std::move(id)},
                              type.uid + std::string(kind.scope),
                              parameters});
    if (!describe(*route)) route.reset();
    return route;
}

} // namespace

std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
    if (path.ends_with('/')) path.remove_suffix(1);
    if (path.size() <= prefix.size() || path[prefix.size()] != '/' ||
        !equal_ignoring_case(path.substr(0, prefix.size()), prefix))
        return std::nullopt;
    return path.substr(prefix.size() + 1);
}

std::optional<ServiceRoute> find_service_route(std::string_view path) {
    if (path.ends_with('/')) path.remove_suffix(1);
    for (auto const& [own, route] : own_routes)
        if (equal_ignoring_case(path, own)) return route;
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
    db::RouteRules const& rules = schema.cms.routes;
    bool const is_single = type->kind == db::ContentType::Kind::single;
    if (slash == std::string_view::npos)
        return is_single ? content_route(*type, single_route, rules.single).value_or(Route())
                         : content_route(*type, collection_route, rules.list).value_or(Route());
    std::string_view const id = path.substr(slash + 1);
    if (is_single || id.empty() || id.find('/') != std::string_view::npos) return {};
    return content_route(*type, entry_route, rules.entry, decoded(id)).value_or(Route());
}

bool has_plugin_route(db::ContentType const& type, db::RouteRules const& rules) {
    return std::ranges::any_of(plugin_routes(rules), [&](auto const routes) {
        return std::ranges::find(routes, type.uid, &RouteKind::uid) != routes.end();
    });
}

std::vector<ServedRoute> served_routes(db::Schema const& schema) {
    std::vector<ServedRoute> served;
    auto const add = [&](std::string path, std::optional<Route> route) {
        if (route) served.push_back({std::move(path), *std::move(route)});
    };
    db::RouteRules const& rules = schema.cms.routes;
    std::string const entry = "/:" + std::string(rules.entry.front());
    for (auto const& [name, type] : schema.routes) {
        if (type->kind == db::ContentType::Kind::single) {
            add(type->singular, content_route(*type, single_route, rules.single));
            continue;
        }
        add(type->plural, content_route(*type, collection_route, rules.list));
        add(type->plural + entry, content_route(*type, entry_route, rules.entry));
    }
    for (auto const routes : plugin_routes(schema.cms.routes))
        for (RouteKind const& route : routes) {
            // The project's own types come first.
            if (schema.find_route(route.path.substr(0, route.path.find('/')))) continue;
            add(std::string(route.path), plugin_route(route, {}, schema));
        }
    return served;
}

} // namespace fcgi
