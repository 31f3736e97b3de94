#include "db/cms/accounts.hpp"

#include <boost/json.hpp>
#include <openssl/crypto.h>

#include <charconv>

namespace db {

namespace {

using Granted = std::shared_ptr<Permissions const>;

// Each statement is written in one place, which also gives the tables that it reads.

// The caller appends which role is meant.
SqlText actions_of_role(Schema const& schema) {
    SqlText sql;
    sql << "SELECT p.`action` FROM ";
    sql.table("up_permissions") << " p JOIN ";
    sql.table(schema.cms.accounts.permission_role) << " l ON l.`permission_id` = p.`id`";
    return sql;
}

SqlText actions_of_public(Schema const& schema) {
    SqlText sql = actions_of_role(schema);
    sql << " JOIN ";
    sql.table("up_roles") << " r ON r.`id` = l.`role_id` WHERE r.`type` = 'public'";
    return sql;
}

SqlText actions_of_role(Schema const& schema, std::string_view role) {
    SqlText sql = actions_of_role(schema);
    sql << " WHERE l.`role_id` = ";
    return sql.text(role);
}

SqlText actions_of_token(Schema const& schema, std::string_view token) {
    SqlText sql;
    sql << "SELECT p.`action` FROM ";
    sql.table("strapi_api_token_permissions") << " p JOIN ";
    sql.table(schema.cms.accounts.token_permission)
        << " l ON l.`api_token_permission_id` = p.`id` WHERE l.`api_token_id` = ";
    return sql.text(token);
}

SqlText setting_of(std::string_view key) {
    SqlText sql;
    sql << "SELECT `value` FROM ";
    sql.table("strapi_core_store_settings") << " WHERE `key` = ";
    sql.text(key) << " LIMIT 1";
    return sql;
}

SqlText user_of(Schema const& schema, std::string_view id) {
    SqlText sql;
    sql << "SELECT u.`id`, u.`confirmed`, u.`blocked`, l.`role_id`, r.`name` FROM ";
    sql.table("up_users") << " u LEFT JOIN ";
    sql.table(schema.cms.accounts.user_role) << " l ON l.`user_id` = u.`id` LEFT JOIN ";
    sql.table("up_roles") << " r ON r.`id` = l.`role_id` WHERE u.`id` = ";
    sql.text(id) << " ORDER BY u.`id`, l.`id` LIMIT 1";
    return sql;
}

SqlText token_of(Schema const& schema, std::string_view access_key) {
    auto const* tokens = schema.find("admin::api-token");
    SqlText sql;
    sql << "SELECT `id`, `type`, `expires_at`, `access_key`, `name`, ";
    if (tokens && tokens->find("kind"))
        sql << "`kind`";
    else
        sql << "NULL";
    sql << " FROM ";
    sql.table("strapi_api_tokens") << " WHERE `access_key` = ";
    sql.text(access_key) << " LIMIT 1";
    return sql;
}

TableNames tables_of(std::initializer_list<SqlText> statements) {
    TableNames names;
    for (SqlText const& sql : statements)
        sql.add_tables_to(names);
    return names;
}

// Returns the actions that a statement lists; null if it lists none.
parser::Result<Granted> read_actions(Connection& connection, Schema const& schema,
                                     SqlText const& sql) {
    auto cursor = connection.query(sql);
    if (!cursor) return cursor.error();
    if (cursor->rows() == 0) return Granted();
    std::set<std::string, std::less<>> scopes;
    while (cursor->next())
        if (auto const action = cursor->text(0); schema.actions.contains(action))
            scopes.emplace(action);
    return std::make_shared<Permissions const>(std::move(scopes));
}

Granted or_nothing(Granted granted) {
    return granted ? granted : std::make_shared<Permissions const>();
}

parser::Result<boost::json::value> read_setting(Connection& connection, std::string_view key) {
    auto cursor = connection.query(setting_of(key));
    if (!cursor) return cursor.error();
    if (!cursor->next()) return boost::json::value();
    boost::system::error_code malformed;
    return boost::json::parse(cursor->text(0), malformed);
}

// Reads 'YYYY-MM-DD HH:MM:SS', maybe with a fraction, as a session in UTC gives it.
std::optional<std::chrono::system_clock::time_point> to_time(std::string_view text) {
    auto const number = [&](std::size_t from, std::size_t size) {
        int value = -1;
        if (from + size <= text.size())
            std::from_chars(text.data() + from, text.data() + from + size, value);
        return value;
    };
    if (!text.data()) return std::nullopt;
    using namespace std::chrono;
    year_month_day const day(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                             std::chrono::day(static_cast<unsigned>(number(8, 2))));
    return sys_days(day) + hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2));
}

parser::Result<Granted> read_role(Connection& connection, Schema const& schema,
                                  std::string_view role) {
    auto granted = read_actions(connection, schema, actions_of_role(schema, role));
    if (!granted) return granted;
    return or_nothing(*granted);
}

} // namespace

parser::Result<Site> read_site(Connection& connection, Schema const& schema) {
    auto role = read_actions(connection, schema, actions_of_public(schema));
    if (!role) return role.error();
    auto locale = read_default_locale(connection);
    if (!locale) return locale.error();
    auto const advanced = read_setting(connection, "plugin_users-permissions_advanced");
    if (!advanced) return advanced.error();

    Site site{.public_role = *std::move(role), .default_locale = *std::move(locale)};
    if (auto const* settings = advanced->if_object())
        if (auto const* confirmation = settings->if_contains("email_confirmation"))
            site.email_confirmation = confirmation->is_bool() && confirmation->get_bool();
    return site;
}

TableNames site_tables(Schema const& schema) {
    return tables_of({actions_of_public(schema), setting_of({})});
}

bool operator==(Site const& left, Site const& right) {
    bool const same_role = left.public_role && right.public_role
                               ? *left.public_role == *right.public_role
                               : left.public_role == right.public_role;
    return same_role && left.default_locale == right.default_locale &&
           left.email_confirmation == right.email_confirmation;
}

parser::Result<std::string> read_default_locale(Connection& connection) {
    auto const locale = read_setting(connection, "plugin_i18n_default_locale");
    if (!locale) return locale.error();
    return locale->is_string() ? std::string(locale->get_string()) : "en";
}

TableNames user_tables(Schema const& schema) {
    return tables_of({user_of(schema, {}), actions_of_role(schema, {})});
}

parser::Result<std::optional<User>> read_user(Connection& connection, Schema const& schema,
                                              std::string_view id) {
    auto cursor = connection.query(user_of(schema, id));
    if (!cursor) return cursor.error();
    if (!cursor->next()) return std::optional<User>();
    User user{.id = std::string(cursor->text(0)), .permissions = {}};
    user.confirmed = cursor->text(1) == "1";
    user.blocked = cursor->text(2) == "1";
    user.role = cursor->text(4);
    if (auto const role = cursor->text(3); role.data()) {
        auto permissions = read_role(connection, schema, std::string(role));
        if (!permissions) return permissions.error();
        user.permissions = *std::move(permissions);
    }
    return std::optional(std::move(user));
}

TableNames api_token_tables(Schema const& schema) {
    return tables_of({token_of(schema, {}), actions_of_token(schema, {})});
}

parser::Result<std::optional<ApiToken>> read_api_token(Connection& connection, Schema const& schema,
                                                       std::string_view access_key) {
    auto cursor = connection.query(token_of(schema, access_key));
    if (!cursor) return cursor.error();
    if (!cursor->next()) return std::optional<ApiToken>();
    std::string const id(cursor->text(0));
    std::string const type(cursor->text(1));
    ApiToken token{.permissions = {}, .expires_at = to_time(cursor->text(2))};
    // The column's collation ignores case, but the hash must be exactly this one.
    auto const stored = cursor->text(3);
    if (stored.size() != access_key.size() ||
        CRYPTO_memcmp(stored.data(), access_key.data(), stored.size()) != 0)
        return std::optional<ApiToken>();
    token.name = type + " API token \"";
    token.name.append(cursor->text(4)).append("\"");
    auto const kind = cursor->text(5);
    token.is_for_admin = kind.data() && kind != content_kind;

    if (type == "full-access") {
        token.permissions = std::make_shared<Permissions const>(Permissions::AccessLevel::full);
    } else if (type == "read-only") {
        token.permissions =
            std::make_shared<Permissions const>(Permissions::AccessLevel::read_only);
    } else {
        auto permissions = read_actions(connection, schema, actions_of_token(schema, id));
        if (!permissions) return permissions.error();
        token.permissions = or_nothing(*permissions);
    }
    return std::optional(std::move(token));
}

parser::Result<Credentials> count_credentials(Connection& connection) {
    auto cursor = connection.query(SqlPiece("SELECT (SELECT COUNT(*) FROM `up_users`),"
                                            " (SELECT COUNT(*) FROM `strapi_api_tokens`)"));
    if (!cursor) return cursor.error();
    cursor->next();
    return Credentials{cursor->id(0), cursor->id(1)};
}

parser::Result<std::vector<std::string>> read_locales(Connection& connection) {
    auto cursor = connection.query(SqlPiece("SELECT `code` FROM `i18n_locale` ORDER BY `code`"));
    if (!cursor) return cursor.error();
    std::vector<std::string> codes;
    while (cursor->next())
        codes.emplace_back(cursor->text(0));
    return codes;
}

} // namespace db
