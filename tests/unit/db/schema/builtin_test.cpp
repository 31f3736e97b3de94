#include "db/schema/schema.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(builtin)

namespace {

std::string const user_file = "extensions/users-permissions/content-types/user/schema.json";

} // namespace

// Tables and secrets as Strapi 4.26 has them.
BOOST_AUTO_TEST_CASE(every_project_has_the_types_of_the_plugins) {
    TemporaryProject project;
    auto const schema = db::load_schema(project.folder()).value();
    std::pair<char const*, char const*> const tables[] = {
        {"plugin::upload.file", "files"},
        {"plugin::upload.folder", "upload_folders"},
        {"plugin::users-permissions.user", "up_users"},
        {"plugin::users-permissions.role", "up_roles"},
        {"plugin::users-permissions.permission", "up_permissions"},
        {"plugin::i18n.locale", "i18n_locale"},
        {"admin::user", "admin_users"},
        {"admin::role", "admin_roles"},
    };
    for (auto const& [uid, table] : tables) {
        BOOST_TEST_REQUIRE(schema->find(uid), uid);
        BOOST_TEST(schema->find(uid)->table == table);
    }
}

BOOST_AUTO_TEST_CASE(secrets_of_users_are_private_and_not_searchable) {
    TemporaryProject project;
    auto const schema = db::load_schema(project.folder()).value();
    std::pair<char const*, char const*> const secrets[] = {
        {"plugin::users-permissions.user", "password"},
        {"plugin::users-permissions.user", "resetPasswordToken"},
        {"plugin::users-permissions.user", "confirmationToken"},
        {"admin::user", "password"},
        {"admin::user", "resetPasswordToken"},
        {"admin::user", "registrationToken"},
        {"plugin::upload.file", "folderPath"},
    };
    for (auto const& [uid, name] : secrets) {
        BOOST_TEST(schema->find(uid)->find(name)->is_private, name);
        BOOST_TEST(!schema->find(uid)->find(name)->searchable, name);
    }
    for (auto const* name : {"email", "isActive", "blocked", "roles"})
        BOOST_TEST(schema->find("admin::user")->find(name)->is_private, name);
    BOOST_TEST(schema->find("plugin::upload.file")->find("folder")->is_private);
}

BOOST_AUTO_TEST_CASE(an_extension_replaces_the_attributes_as_a_whole) {
    TemporaryProject project;
    project.write(user_file, R"({"attributes": {
        "username": {"type": "string"}, "nickname": {"type": "string"},
        "role": {"type": "relation", "relation": "manyToOne", "inversedBy": "users",
                 "target": "plugin::users-permissions.role"}}})");
    auto const schema = db::load_schema(project.folder()).value();
    auto const& user = *schema->find("plugin::users-permissions.user");
    BOOST_TEST(user.find("nickname"));
    BOOST_TEST(!user.find("email"));
    BOOST_TEST(user.find("createdAt"));
    // Everything that the extension does not name stays.
    BOOST_TEST(user.table == "up_users");
    BOOST_TEST(user.singular == "user");
}

BOOST_AUTO_TEST_CASE(an_extension_may_rename_the_table) {
    TemporaryProject project;
    project.write(user_file, R"({"collectionName": "members"})");
    auto const schema = db::load_schema(project.folder()).value();
    auto const& user = *schema->find("plugin::users-permissions.user");
    BOOST_TEST(user.table == "members");
    BOOST_TEST(user.find("role")->link.table == "members_role_links");
    BOOST_TEST(schema->find("plugin::users-permissions.role")->find("users")->link.table ==
               "members_role_links");
}

BOOST_AUTO_TEST_CASE(plugins_have_the_actions_of_their_read_routes) {
    TemporaryProject project;
    auto const schema = db::load_schema(project.folder()).value();
    for (auto const* action :
         {"plugin::users-permissions.user.find", "plugin::users-permissions.user.me",
          "plugin::users-permissions.role.find", "plugin::upload.content-api.findOne",
          "plugin::i18n.locales.listLocales"})
        BOOST_TEST(schema->actions.contains(action), action);
    for (auto const* action : {"plugin::upload.file.find", "plugin::upload.folder.find",
                               "plugin::i18n.locale.find", "admin::user.find"})
        BOOST_TEST(!schema->actions.contains(action), action);
    BOOST_TEST(schema->find("plugin::users-permissions.user")->has_routes);
    BOOST_TEST(!schema->find("plugin::upload.folder")->has_routes);
}

BOOST_AUTO_TEST_SUITE_END()
