#include "db/content/first_rows.hpp"

#include "db/schema/naming.hpp"

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

struct InitialRole {
    std::string_view type;
    SqlPiece columns; // name, description, type
};
constexpr InitialRole authenticated{
    "authenticated",
    "'Authenticated', 'Default role given to authenticated user.', 'authenticated'"};
constexpr InitialRole everybody{
    "public", "'Public', 'Default role given to unauthenticated user.', 'public'"};

constexpr SqlPiece default_locale =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_i18n_default_locale', '\"en\"', 'string')";

constexpr SqlPiece advanced_settings =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_users-permissions_advanced', '{\"unique_email\":true,\"allow_register\":true,"
    "\"email_confirmation\":false,\"email_reset_password\":null,"
    "\"email_confirmation_redirection\":null,\"default_role\":\"authenticated\"}', 'object')";

// Collects statements that insert rows of content types, in the layout of a version.
class Statements {
  public:
    explicit Statements(Layout const& layout) : layout_(layout) {}

    void add_role(InitialRole const& role, std::span<InitialRows::Grant const> grants) {
        add("up_roles", "`name`, `description`, `type`", role.columns,
            stable_document_id("plugin::users-permissions.role", role.type));
        statements_.push_back(SqlPiece("SET @role = LAST_INSERT_ID()"));
        for (auto const& [action, order] : grants) {
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

std::vector<SqlText> insert_first_rows(FirstRows const& existing, Cms const& cms) {
    Statements rows(cms.layout);
    if (!existing.authenticated_role) rows.add_role(authenticated, cms.initial.authenticated);
    if (!existing.public_role) rows.add_role(everybody, cms.initial.everybody);
    if (!existing.locale) rows.add_locale();
    if (!existing.default_locale) rows.add(default_locale);
    if (!existing.advanced_settings) rows.add(advanced_settings);
    if (!existing.migrations)
        for (SqlPiece const name : cms.initial.migrations)
            rows.add_migration(name);
    return rows.statements();
}

} // namespace db
