#include "db/content/cms_rows.hpp"

#include "db/cms/accounts.hpp"
#include "db/content/json_text.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/naming.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json.hpp>
#include <openssl/rand.h>

#include <array>
#include <set>

namespace db {

namespace {

namespace json = boost::json;

FilePlace const locales_file{"locales.json"};
FilePlace const access_file{"access.json"};
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

// A row of one of the CMS's own types, as Strapi adds it: it is created now and, where types have
// documents, is a published one with a document of its own.
class NewRow {
  public:
    NewRow(std::string_view table, bool has_documents, std::string_view document_id) {
        (sql_ << "INSERT INTO ").name(table)
            << " SET `created_at` = UTC_TIMESTAMP(3), `updated_at` = UTC_TIMESTAMP(3)";
        if (!has_documents) return;
        sql_ << ", `published_at` = UTC_TIMESTAMP(3)";
        set(document_column, document_id);
    }

    NewRow& set(std::string_view column, std::string_view value) {
        ((sql_ << ", ").name(column) << " = ").text(value);
        return *this;
    }

    SqlText const& sql() const { return sql_; }

  private:
    SqlText sql_;
};

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
    SqlText sql;
    (sql << "UPDATE `strapi_core_store_settings` SET `value` = ").text(json_text(code))
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
        role.last_order =
            std::max(role.last_order, parser::javascript_number(rows->text(2)).value_or(0));
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
                               ContentErrors& errors) {
    auto role = read_role(connection, type, schema.cms.accounts);
    if (!role) return role.error();
    if (role->id.empty()) errors.add(access_file, type + ": expected the type of a role");
    if (!scopes.is_array()) errors.add(access_file, expected(type, "a list", scopes));
    auto const& list = scopes.is_array() ? scopes.get_array() : no_items;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const actions = actions_of(text_of(&list[i]), schema);
        if (actions.empty())
            errors.add(access_file,
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

parser::Result<bool> find_name(Connection& connection, std::string const& name) {
    SqlText sql = SqlPiece("SELECT 1 FROM `strapi_api_tokens` WHERE `name` = ");
    auto const rows = connection.query(sql.text(name));
    if (!rows) return rows.error();
    return rows->rows() > 0;
}

std::string new_document_id() {
    std::array<unsigned char, 24> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    return document_id(bytes);
}

SqlText insert_token(ContentType const& type, NewApiToken const& token) {
    NewRow row(type.table, type.has_documents, new_document_id());
    row.set("name", token.name).set("description", "").set("type", token.type);
    row.set("access_key", token.access_key);
    if (type.find("kind")) row.set("kind", content_kind);
    return row.sql();
}

SqlText insert_link(AccountRules const& rules, std::size_t order) {
    SqlText sql;
    sql << "INSERT INTO ";
    sql.name(rules.token_permission)
        << " SET `api_token_permission_id` = LAST_INSERT_ID(), `api_token_id` = @token, ";
    return (sql.name(rules.token_permission_order) << " = ").integer(std::uint64_t{order});
}

// After an error the caller closes the connection, which rolls back.
parser::Result<void> run(Connection& connection, std::vector<SqlText> const& statements) {
    for (auto const& statement : statements)
        if (auto done = connection.command(statement); !done) return done;
    return {};
}

} // namespace

parser::Result<void> import_locales(Connection& connection, json::value const& locales,
                                    Layout const& layout, ContentErrors& errors) {
    auto const wrong = [&](auto const&... what) { errors.add(locales_file, expected(what...)); };
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
                                   json::value const& access, ContentErrors& errors) {
    auto const* object = access.if_object();
    if (!object) errors.add(access_file, expected("access", "an object", access));
    for (auto const& [type, scopes] : object ? *object : json::object())
        if (auto done = grant_all(connection, schema, std::string(type), scopes, errors); !done)
            return done;
    return {};
}

parser::Result<std::string> locales_json(Connection& connection) {
    auto rows =
        connection.query(SqlPiece("SELECT `code`, `name` FROM `i18n_locale` ORDER BY `id`"));
    if (!rows) return rows.error();
    std::string list;
    while (rows->next())
        list += (list.empty() ? "{\"code\":" : ",{\"code\":") + json_text(rows->text(0)) +
                ",\"name\":" + json_text(rows->text(1)) + '}';
    auto value = connection.query(SqlPiece("SELECT `value` FROM `strapi_core_store_settings`"
                                           " WHERE `key` = 'plugin_i18n_default_locale'"));
    if (!value) return value.error();
    std::string const fallback =
        value->next() ? "\"default\":" + std::string(value->text(0)) + ',' : "";
    return '{' + fallback + "\"list\":[" + list + "]}\n";
}

parser::Result<std::string> access_json(Connection& connection, Schema const& schema) {
    SqlText sql;
    (sql << "SELECT r.`type`, p.`action` FROM `up_roles` r JOIN ")
            .name(schema.cms.accounts.permission_role)
        << " l ON l.`role_id` = r.`id`"
           " JOIN `up_permissions` p ON p.`id` = l.`permission_id` ORDER BY p.`id`";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    std::map<std::string, std::string> roles;
    while (rows->next()) {
        std::string const role(rows->text(0));
        auto const action = rows->text(1);              // valid until the next text()
        if (!schema.actions.contains(action)) continue; // it writes, or is not served
        auto& actions = roles[role];
        actions += (actions.empty() ? "" : ",") + json_text(action);
    }
    std::string json;
    for (auto const& [role, actions] : roles)
        json += (json.empty() ? "{" : ",") + json_text(role) + ":[" + actions + ']';
    return json.empty() ? "{}\n" : json + "}\n";
}

parser::Result<void> insert_api_token(Connection& connection, Schema const& schema,
                                      NewApiToken const& token) {
    // If several are created at once with one name, the first one gets it.
    auto const is_ours = take_lock(connection, "populate-fcgi token", std::chrono::seconds(10));
    if (!is_ours) return is_ours.error();
    if (!*is_ours)
        return parser::Error{parser::ErrorKind::conflict, "another token is being created"};
    if (auto known = find_name(connection, token.name); !known)
        return known.error();
    else if (*known)
        return parser::invalid_value("name", "a name that no other token has", token.name);
    AccountRules const& rules = schema.cms.accounts;
    ContentType const& tokens = *schema.find("admin::api-token");
    ContentType const& permissions = *schema.find("admin::api-token-permission");
    std::vector<SqlText> statements{SqlPiece("START TRANSACTION"), insert_token(tokens, token),
                                    SqlPiece("SET @token = LAST_INSERT_ID()")};
    for (std::size_t i = 0; i < token.actions.size(); ++i) {
        NewRow permission(permissions.table, permissions.has_documents, new_document_id());
        statements.push_back(permission.set("action", token.actions[i]).sql());
        statements.push_back(insert_link(rules, i + 1));
    }
    statements.push_back(SqlPiece("COMMIT"));
    return run(connection, statements);
}

parser::Result<std::vector<ListedToken>> list_api_tokens(Connection& connection) {
    auto rows = connection.query(SqlPiece("SELECT `name`, `type`, `expires_at`"
                                          " FROM `strapi_api_tokens` ORDER BY `name`"));
    if (!rows) return rows.error();
    std::vector<ListedToken> tokens;
    while (rows->next()) {
        auto& token = tokens.emplace_back();
        token.name = rows->text(0);
        token.type = rows->text(1);
        token.expires = rows->text(2);
    }
    return tokens;
}

parser::Result<void> delete_api_token(Connection& connection, Schema const& schema,
                                      std::string const& name) {
    if (auto known = find_name(connection, name); !known)
        return known.error();
    else if (!*known)
        return parser::invalid_value("name", "the name of a token", name);
    char const* const links = schema.cms.accounts.token_permission;
    std::vector<SqlText> statements(4);
    statements[0] = SqlPiece("START TRANSACTION");
    // Deletes the links too; in Strapi's own tables foreign keys would also delete them.
    (statements[1] << "DELETE p, l FROM `strapi_api_token_permissions` p JOIN ").name(links)
        << " l ON l.`api_token_permission_id` = p.`id`"
           " JOIN `strapi_api_tokens` t ON t.`id` = l.`api_token_id` WHERE t.`name` = ";
    statements[1].text(name);
    (statements[2] << "DELETE FROM `strapi_api_tokens` WHERE `name` = ").text(name);
    statements[3] = SqlPiece("COMMIT");
    return run(connection, statements);
}

} // namespace db
