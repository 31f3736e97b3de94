#include "db/content/settings.hpp"

#include "db/cms/new_row.hpp"
#include "db/content/cells.hpp"
#include "db/schema/document_id.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json.hpp>

#include <set>

namespace db {

namespace {

namespace json = boost::json;

Origin const locales_file{"locales.json"};
Origin const access_file{"access.json"};
json::array const no_items;

std::string expected(std::string const& member, std::string_view what, json::value const& value) {
    return parser::invalid_value(member, what, json::serialize(value)).message;
}

std::string text_of(json::value const* value) {
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

// Returns the first column of all rows.
parser::Result<std::set<std::string>> read_set(Connection& connection, SqlText const& sql) {
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    std::set<std::string> values;
    while (rows->next())
        values.emplace(rows->text(0));
    return values;
}

parser::Result<void> set_locale(Connection& connection, std::string const& code,
                                std::string const& name, bool is_new, Layout const& layout) {
    if (is_new) {
        NewRow row("i18n_locale", layout.has_documents,
                   stable_document_id("plugin::i18n.locale", code));
        return connection.command(row.set("code", code).set("name", name).sql());
    }
    SqlText sql;
    (sql << "UPDATE `i18n_locale` SET `name` = ").text(name) << " WHERE BINARY `code` = ";
    return connection.command(sql.text(code));
}

parser::Result<void> set_default(Connection& connection, std::string const& code) {
    std::string value;
    parser::append_json_string(value, code);
    SqlText sql;
    (sql << "UPDATE `strapi_core_store_settings` SET `value` = ").text(value)
        << " WHERE `key` = 'plugin_i18n_default_locale'";
    return connection.command(sql);
}

// Returns `find` and `findOne` of a type, as far as it has them, or the action itself, or nothing.
std::vector<std::string> actions_of(std::string const& scope, Schema const& schema) {
    if (schema.actions.contains(scope)) return {scope};
    std::vector<std::string> actions;
    for (auto const* action : {".find", ".findOne"})
        if (schema.actions.contains(scope + action)) actions.push_back(scope + action);
    return actions;
}

struct StoredRole {
    std::string type;
    std::string id;
    std::set<std::string> actions;
    double last_order = 0;
};

parser::Result<StoredRole> read_role(Connection& connection, std::string const& type,
                                     AccountRules const& rules) {
    SqlText sql;
    (sql << "SELECT r.`id`, p.`action`, l.").name(rules.permission_order)
        << " FROM `up_roles` r LEFT JOIN ";
    sql.name(rules.permission_role)
        << " l ON l.`role_id` = r.`id`"
           " LEFT JOIN `up_permissions` p ON p.`id` = l.`permission_id` WHERE r.`type` = ";
    auto rows = connection.query(sql.text(type));
    if (!rows) return rows.error();
    StoredRole role;
    role.type = type;
    while (rows->next()) {
        role.id = rows->text(0);
        role.actions.emplace(rows->text(1));
        role.last_order = std::max(role.last_order, number_cell(rows->text(2)));
    }
    return role;
}

parser::Result<void> grant(Connection& connection, StoredRole& role, std::string const& action,
                           Cms const& cms) {
    if (!role.actions.insert(action).second) return {};
    auto const document =
        stable_document_id("plugin::users-permissions.permission", role.type + ' ' + action);
    NewRow permission("up_permissions", cms.layout.has_documents, document);
    if (auto done = connection.command(permission.set("action", action).sql()); !done) return done;
    AccountRules const& rules = cms.accounts;
    SqlText link;
    (link << "INSERT INTO ").name(rules.permission_role) << " (`permission_id`, `role_id`, ";
    link.name(rules.permission_order) << ") VALUES (LAST_INSERT_ID(), ";
    (link.text(role.id) << ", ").number(++role.last_order) << ")";
    return connection.command(link);
}

parser::Result<void> grant_all(Connection& connection, Schema const& schema,
                               std::string const& type, json::value const& scopes,
                               Mistakes& mistakes) {
    auto role = read_role(connection, type, schema.cms.accounts);
    if (!role) return role.error();
    if (role->id.empty()) mistakes.add(access_file, type + ": expected the type of a role");
    if (!scopes.is_array()) mistakes.add(access_file, expected(type, "a list", scopes));
    auto const& list = scopes.is_array() ? scopes.get_array() : no_items;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const actions = actions_of(text_of(&list[i]), schema);
        if (actions.empty())
            mistakes.add(access_file,
                         expected(type + '[' + std::to_string(i) + ']',
                                  "the UID of a type that has routes, or one of its actions",
                                  list[i]));
        for (auto const& action : actions) {
            if (role->id.empty()) continue;
            auto granted = grant(connection, *role, action, schema.cms);
            if (!granted) return granted;
        }
    }
    return {};
}

} // namespace

parser::Result<void> import_locales(Connection& connection, json::value const& locales,
                                    Layout const& layout, Mistakes& mistakes) {
    auto const wrong = [&](auto const&... what) { mistakes.add(locales_file, expected(what...)); };
    auto const* object = locales.if_object();
    if (!object) {
        wrong("locales", "an object", locales);
        return {};
    }
    auto codes = read_set(connection, SqlPiece("SELECT `code` FROM `i18n_locale`"));
    if (!codes) return codes.error();

    auto const* list = object->if_contains("list");
    if (list && !list->is_array()) wrong("list", "a list", *list);
    for (auto const& item : list && list->is_array() ? list->get_array() : no_items) {
        auto const* locale = item.if_object();
        auto const code = text_of(locale ? locale->if_contains("code") : nullptr);
        auto const name = text_of(locale ? locale->if_contains("name") : nullptr);
        if (code.empty() || name.empty()) {
            wrong("list", R"({"code": text, "name": text})", item);
            continue;
        }
        auto done = set_locale(connection, code, name, codes->insert(code).second, layout);
        if (!done) return done;
    }
    auto const* code = object->if_contains("default");
    if (!code) return {};
    if (codes->contains(text_of(code))) return set_default(connection, text_of(code));
    wrong("default", "the code of a locale", *code);
    return {};
}

parser::Result<void> import_access(Connection& connection, Schema const& schema,
                                   json::value const& access, Mistakes& mistakes) {
    auto const* object = access.if_object();
    if (!object) mistakes.add(access_file, expected("access", "an object", access));
    for (auto const& [type, scopes] : object ? *object : json::object())
        if (auto done = grant_all(connection, schema, std::string(type), scopes, mistakes); !done)
            return done;
    return {};
}

} // namespace db
