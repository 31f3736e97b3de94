#include "db/tables/first_rows.hpp"

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

constexpr SqlPiece authenticated_role =
    "INSERT INTO `up_roles` (`name`, `description`, `type`, `created_at`, `updated_at`) VALUES"
    " ('Authenticated', 'Default role given to authenticated user.', 'authenticated',"
    " UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";

constexpr SqlPiece authenticated_actions[] = {
    "'plugin::users-permissions.user.me'",
    "'plugin::users-permissions.auth.changePassword'",
};

constexpr SqlPiece public_role =
    "INSERT INTO `up_roles` (`name`, `description`, `type`, `created_at`, `updated_at`) VALUES"
    " ('Public', 'Default role given to unauthenticated user.', 'public',"
    " UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";

constexpr SqlPiece public_actions[] = {
    "'plugin::users-permissions.auth.callback'",
    "'plugin::users-permissions.auth.connect'",
    "'plugin::users-permissions.auth.resetPassword'",
    "'plugin::users-permissions.auth.register'",
    "'plugin::users-permissions.auth.forgotPassword'",
    "'plugin::users-permissions.auth.emailConfirmation'",
    "'plugin::users-permissions.auth.sendEmailConfirmation'",
};

constexpr SqlPiece locale =
    "INSERT INTO `i18n_locale` (`name`, `code`, `created_at`, `updated_at`) VALUES"
    " ('English (en)', 'en', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";

constexpr SqlPiece default_locale =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_i18n_default_locale', '\"en\"', 'string')";

constexpr SqlPiece advanced_settings =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_users-permissions_advanced', '{\"unique_email\":true,\"allow_register\":true,"
    "\"email_confirmation\":false,\"email_reset_password\":null,"
    "\"email_confirmation_redirection\":null,\"default_role\":\"authenticated\"}', 'object')";

template<std::size_t size>
void insert_role(std::vector<SqlText>& statements, SqlPiece role, SqlPiece const (&actions)[size]) {
    statements.push_back(role);
    statements.push_back(SqlPiece("SET @role = LAST_INSERT_ID()"));
    for (auto const& action : actions) {
        SqlText permission;
        permission << "INSERT INTO `up_permissions` (`action`, `created_at`, `updated_at`) VALUES ("
                   << action << ", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";
        statements.push_back(std::move(permission));
        // As Strapi orders these: each was the first to be added.
        statements.push_back(SqlPiece("INSERT INTO `up_permissions_role_links`"
                                      " (`permission_id`, `role_id`, `permission_order`) VALUES "
                                      "(LAST_INSERT_ID(), @role, 1)"));
    }
}

} // namespace

parser::Result<FirstRows> FirstRows::read(Connection& connection) {
    auto rows = connection.query(existing_rows);
    if (!rows) return rows.error();
    rows->next();
    auto const is_there = [&](unsigned column) { return rows->text(column) == "1"; };
    return FirstRows{is_there(0), is_there(1), is_there(2), is_there(3), is_there(4)};
}

std::vector<SqlText> insert_first_rows(FirstRows const& existing) {
    std::vector<SqlText> statements;
    if (!existing.authenticated_role)
        insert_role(statements, authenticated_role, authenticated_actions);
    if (!existing.public_role) insert_role(statements, public_role, public_actions);
    if (!existing.locale) statements.push_back(locale);
    if (!existing.default_locale) statements.push_back(default_locale);
    if (!existing.advanced_settings) statements.push_back(advanced_settings);
    return statements;
}

} // namespace db
