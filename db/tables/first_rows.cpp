#include "db/tables/first_rows.hpp"

#include "db/schema/document_id.hpp"

#include <span>
#include <string>

namespace db {

namespace {

constexpr SqlPiece existing_rows =
    "SELECT EXISTS (SELECT 1 FROM `up_roles` WHERE `type` = 'authenticated'),"
    " EXISTS (SELECT 1 FROM `up_roles` WHERE `type` = 'public'),"
    " EXISTS (SELECT 1 FROM `i18n_locale`),"
    " EXISTS (SELECT 1 FROM `strapi_core_store_settings`"
    " WHERE `key` = 'plugin_i18n_default_locale'),"
    " EXISTS (SELECT 1 FROM `strapi_core_store_settings`"
    " WHERE `key` = 'plugin_users-permissions_advanced')";

constexpr SqlPiece existing_migrations =
    "SELECT EXISTS (SELECT 1 FROM `strapi_migrations_internal`)";

// A permission of a role, and its place, as Strapi orders these: those that are added together are
// all the first of them.
struct Grant {
    SqlPiece action;
    std::uint64_t order;
};

struct Role {
    std::string_view type;
    SqlPiece columns; // name, description, type
    std::span<Grant const> grants;
};

// What versions add differently.
struct Beginning {
    Role authenticated;
    Role everybody;
    std::span<SqlPiece const> migrations; // that have nothing to do in new tables
};

constexpr std::string_view authenticated_type = "authenticated";
constexpr SqlPiece authenticated_role =
    "'Authenticated', 'Default role given to authenticated user.', 'authenticated'";
constexpr std::string_view public_type = "public";
constexpr SqlPiece public_role =
    "'Public', 'Default role given to unauthenticated user.', 'public'";

constexpr Grant authenticated_4[] = {
    {"'plugin::users-permissions.user.me'", 1},
    {"'plugin::users-permissions.auth.changePassword'", 1},
};
constexpr Grant public_4[] = {
    {"'plugin::users-permissions.auth.callback'", 1},
    {"'plugin::users-permissions.auth.connect'", 1},
    {"'plugin::users-permissions.auth.resetPassword'", 1},
    {"'plugin::users-permissions.auth.register'", 1},
    {"'plugin::users-permissions.auth.forgotPassword'", 1},
    {"'plugin::users-permissions.auth.emailConfirmation'", 1},
    {"'plugin::users-permissions.auth.sendEmailConfirmation'", 1},
};
constexpr Beginning strapi4{
    .authenticated = {authenticated_type, authenticated_role, authenticated_4},
    .everybody = {public_type, public_role, public_4},
    .migrations = {}};

// Strapi 5.54.
constexpr Grant authenticated_5[] = {
    {"'plugin::users-permissions.auth.logout'", 1},
    {"'plugin::users-permissions.auth.getSessions'", 1},
    {"'plugin::users-permissions.auth.revokeSession'", 1},
    {"'plugin::users-permissions.user.me'", 2},
    {"'plugin::users-permissions.auth.changePassword'", 2},
};
constexpr Grant public_5[] = {
    {"'plugin::users-permissions.auth.callback'", 1},
    {"'plugin::users-permissions.auth.connect'", 1},
    {"'plugin::users-permissions.auth.forgotPassword'", 1},
    {"'plugin::users-permissions.auth.resetPassword'", 1},
    {"'plugin::users-permissions.auth.register'", 1},
    {"'plugin::users-permissions.auth.emailConfirmation'", 1},
    {"'plugin::users-permissions.auth.sendEmailConfirmation'", 1},
    {"'plugin::users-permissions.auth.refresh'", 1},
};
constexpr SqlPiece migrations_5[] = {
    "'5.0.0-rename-identifiers-longer-than-max-length'",
    "'5.0.0-02-created-document-id'",
    "'5.0.0-03-created-locale'",
    "'5.0.0-04-created-published-at'",
    "'5.0.0-05-drop-slug-fields-index'",
    "'5.0.0-06-add-document-id-indexes'",
    "'core::5.0.0-discard-drafts'",
    "'admin::migrate-prefered-language-dk-to-da'",
};
constexpr Beginning strapi5{
    .authenticated = {authenticated_type, authenticated_role, authenticated_5},
    .everybody = {public_type, public_role, public_5},
    .migrations = migrations_5};

constexpr SqlPiece default_locale =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_i18n_default_locale', '\"en\"', 'string')";

constexpr SqlPiece advanced_settings =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_users-permissions_advanced', '{\"unique_email\":true,\"allow_register\":true,"
    "\"email_confirmation\":false,\"email_reset_password\":null,"
    "\"email_confirmation_redirection\":null,\"default_role\":\"authenticated\"}', 'object')";

// Rows of content types, in the layout of a version.
class Rows {
  public:
    explicit Rows(Layout const& layout) : layout_(layout) {}

    void add_role(Role const& role) {
        add("up_roles", "`name`, `description`, `type`", role.columns,
            stable_document_id("plugin::users-permissions.role", role.type));
        statements_.push_back(SqlPiece("SET @role = LAST_INSERT_ID()"));
        for (auto const& [action, order] : role.grants) {
            add("up_permissions", "`action`", action,
                stable_document_id("plugin::users-permissions.permission",
                                   std::string(role.type) + ' ' + SqlText(action).str()));
            SqlText link;
            (link << "INSERT INTO ").name("up_permissions_role_" + std::string(layout_.links))
                << " (`permission_id`, `role_id`, ";
            link.name("permission_" + std::string(layout_.order))
                << ") VALUES (LAST_INSERT_ID(), @role, ";
            statements_.push_back(link.integer(order) << ")");
        }
    }

    void add_locale() {
        add("i18n_locale", "`name`, `code`", "'English (en)', 'en'",
            stable_document_id("plugin::i18n.locale", "en"));
    }

    void add_migration(SqlPiece name) {
        SqlText sql;
        sql << "INSERT INTO `strapi_migrations_internal` (`name`, `time`) VALUES (" << name
            << ", UTC_TIMESTAMP())";
        statements_.push_back(std::move(sql));
    }

    void add(SqlPiece statement) { statements_.push_back(statement); }

    std::vector<SqlText> statements() { return std::move(statements_); }

  private:
    void add(std::string_view table, SqlPiece columns, SqlPiece values,
             std::string const& document) {
        SqlText sql;
        (sql << "INSERT INTO ").name(table) << " (" << columns << ", `created_at`, `updated_at`";
        if (layout_.has_documents) sql << ", `published_at`, `document_id`";
        sql << ") VALUES (" << values << ", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)";
        if (layout_.has_documents) (sql << ", UTC_TIMESTAMP(3), ").text(document);
        statements_.push_back(sql << ")");
    }

    Layout const& layout_;
    std::vector<SqlText> statements_;
};

} // namespace

parser::Result<FirstRows> FirstRows::read(Connection& connection, bool has_migrations) {
    auto rows = connection.query(existing_rows);
    if (!rows) return rows.error();
    rows->next();
    auto const is_there = [](auto& row, unsigned column) { return row->text(column) == "1"; };
    FirstRows found{is_there(rows, 0), is_there(rows, 1), is_there(rows, 2), is_there(rows, 3),
                    is_there(rows, 4)};
    if (!has_migrations) return found;
    auto migrations = connection.query(existing_migrations);
    if (!migrations) return migrations.error();
    migrations->next();
    found.migrations = is_there(migrations, 0);
    return found;
}

std::vector<SqlText> insert_first_rows(FirstRows const& existing, Layout const& layout) {
    Beginning const& beginning = layout.version == Version::strapi4 ? strapi4 : strapi5;
    Rows rows(layout);
    if (!existing.authenticated_role) rows.add_role(beginning.authenticated);
    if (!existing.public_role) rows.add_role(beginning.everybody);
    if (!existing.locale) rows.add_locale();
    if (!existing.default_locale) rows.add(default_locale);
    if (!existing.advanced_settings) rows.add(advanced_settings);
    if (!existing.migrations)
        for (SqlPiece const name : beginning.migrations)
            rows.add_migration(name);
    return rows.statements();
}

} // namespace db
