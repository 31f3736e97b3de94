#include "db/schema/project_folder.hpp"
#include "db/schema/schema.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

BOOST_AUTO_TEST_SUITE(version)

namespace {

using db::Version;

char const* name_of(std::optional<Version> version) {
    if (!version) return "none";
    return *version == Version::strapi4 ? "4" : "5";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_project_is_of_the_strapi_that_its_package_names) {
    std::pair<char const*, char const*> const cases[] = {
        {R"({"dependencies": {"@strapi/strapi": "5.54.0"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": "^5"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": "~5.0.0-rc.1"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": ">=4.15.5"}})", "4"},
        {R"({"dependencies": {"@strapi/strapi": "4.26.2", "react": "18.0.0"}})", "4"},
        {R"({"dependencies": {"@strapi/strapi": "3.6.0"}})", "4"}, // the nearest that is known
        {R"({"dependencies": {"@strapi/strapi": "6.0.0"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": "latest"}})", "none"},
        {R"({"dependencies": {"react": "18.0.0"}})", "none"},
        {R"({"devDependencies": {"@strapi/strapi": "5.54.0"}})", "none"},
        {"{}", "none"},
        {"no JSON", "none"},
    };
    for (auto const& [package, expected] : cases) {
        TemporaryProject project;
        project.write("../package.json", package);
        BOOST_TEST(name_of(db::project_version(project.folder())) == expected, package);
        BOOST_TEST(name_of(db::project_version(project.folder() / "src")) == expected, package);
    }
    TemporaryProject const without_package;
    BOOST_TEST(name_of(db::project_version(without_package.folder())) == "none");
    BOOST_TEST(name_of(db::project_version(without_package.folder() / "nowhere")) == "none");
}

// Strapi 5 keeps users as documents, as it does everything.
BOOST_AUTO_TEST_CASE(a_database_is_of_the_strapi_whose_users_it_has) {
    db::TableColumns tables{{"articles", {{"id"}, {"document_id"}}}};
    BOOST_TEST(name_of(db::database_version(tables)) == "none");
    tables["up_users"] = {{"id"}, {"username"}};
    BOOST_TEST(name_of(db::database_version(tables)) == "4");
    // As Strapi 5 makes the table, and as its migration leaves it.
    tables["up_users"] = {{"id"}, {"document_id"}, {"username"}};
    BOOST_TEST(name_of(db::database_version(tables)) == "5");
    tables["up_users"] = {{"id"}, {"username"}, {"document_id"}, {"locale"}, {"published_at"}};
    BOOST_TEST(name_of(db::database_version(tables)) == "5");
}

namespace {

std::string text_of(std::optional<db::ProjectRelease> const& found) {
    return found ? found->release.text() : "none";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_release_has_two_numbers_or_three) {
    std::pair<char const*, char const*> const cases[] = {
        {"5.30.1", "5.30.1"},    {"5.30", "5.30.0"}, {"4.26.2-beta.1", "4.26.2"},
        {"5.0.0-rc.1", "5.0.0"}, {"5", "none"},      {"", "none"},
        {"v5.30.1", "none"},     {"5.", "none"},     {"5.99999.1", "none"},
    };
    for (auto const& [text, expected] : cases) {
        auto const release = db::read_release(text);
        BOOST_TEST((release ? release->text() : "none") == expected, text);
    }
}

// Each file is of what the tool of that name writes for `"@strapi/strapi": "^5.12.0"`.
BOOST_AUTO_TEST_CASE(a_project_is_of_the_release_that_is_installed_or_locked_or_asked_for) {
    struct {
        char const* file;
        char const* text;
        char const* expected; // and of all that are written before
    } const cases[] = {
        {"package.json", R"({"dependencies": {"@strapi/strapi": "^5.12.0"}})", "5.12.0"},
        {"pnpm-lock.yaml",
         "importers:\n  .:\n    dependencies:\n      '@strapi/plugin-cloud':\n"
         "        specifier: 5.13.1\n        version: 5.13.1(react@18.3.1)\n"
         "      '@strapi/strapi':\n        specifier: ^5.12.0\n"
         "        version: 5.13.2(react@18.3.1)\n",
         "5.13.2"},
        {"yarn.lock",
         "\"@strapi/strapi-utils@1.0.0\":\n  version \"1.0.0\"\n\n"
         "\"@strapi/strapi@^5.12.0\":\n  version \"5.14.0\"\n",
         "5.14.0"},
        {"package-lock.json",
         R"({"lockfileVersion": 1, "dependencies": {"@strapi/strapi": {"version": "5.15.0"}}})",
         "5.15.0"},
        {"package-lock.json",
         R"({"lockfileVersion": 3, "packages": {"": {"dependencies": {"@strapi/strapi": "^5.12.0"}},)"
         R"("node_modules/@strapi/strapi": {"version": "5.16.1"}}})",
         "5.16.1"},
        {"node_modules/@strapi/strapi/package.json", R"({"version": "5.17.0"})", "5.17.0"},
        {"node_modules/@strapi/strapi/package.json", "{}", "5.16.1"},
    };
    TemporaryProject project;
    BOOST_TEST(text_of(db::project_release(project.folder())) == "none");
    for (auto const& [file, text, expected] : cases) {
        project.write(std::string("../") + file, text);
        BOOST_TEST(text_of(db::project_release(project.folder())) == expected, file);
        BOOST_TEST(text_of(db::project_release(project.folder() / "src")) == expected, file);
    }
}

BOOST_AUTO_TEST_CASE(a_release_is_its_version_with_what_it_does_otherwise) {
    auto const releases = {std::pair{Version::strapi4, db::strapi4.newest},
                           std::pair{Version::strapi5, db::strapi5.newest}};
    for (auto const& [version, newest] : releases) {
        auto const has_nothing_else = [&](std::optional<db::Release> const& release) {
            auto const cms = db::cms_at(version, release);
            return cms.json.empty_can_be_null == db::cms_of(version).json.empty_can_be_null &&
                   cms.rules.first_part_names_all == db::cms_of(version).rules.first_part_names_all;
        };
        BOOST_TEST(has_nothing_else(newest));
        BOOST_TEST(has_nothing_else(std::nullopt));
        auto newer = newest;
        ++newer.minor;
        BOOST_TEST(has_nothing_else(newer));
        for (auto const& difference : db::cms_of(version).differences) {
            BOOST_TEST((difference.until <= newest), difference.what);
            BOOST_TEST(difference.until.major == newest.major, difference.what);
        }
    }
    BOOST_TEST(db::cms_at(Version::strapi5, db::Release{5, 51, 0}).json.empty_can_be_null);
    BOOST_TEST(!db::cms_at(Version::strapi5, db::Release{5, 51, 1}).json.empty_can_be_null);
    BOOST_TEST(db::cms_at(Version::strapi4, db::Release{4, 15, 5}).rules.first_part_names_all);
    BOOST_TEST(!db::cms_at(Version::strapi4, db::Release{4, 16, 0}).rules.first_part_names_all);
    // A project that says it is of another version than the database is not believed.
    BOOST_TEST(db::cms_at(Version::strapi4, db::Release{5, 51, 0}).rules.first_part_names_all ==
               db::strapi4.rules.first_part_names_all);
}

BOOST_AUTO_TEST_CASE(tables_without_an_order_of_relations_are_too_old) {
    db::TableColumns tables{{"up_permissions_role_links", {{"permission_id"}, {"role_id"}}}};
    BOOST_TEST(db::too_old(tables).has_value());
    tables["up_permissions_role_links"] = {
        {"id"}, {"permission_id"}, {"role_id"}, {"permission_order"}};
    BOOST_TEST(!db::too_old(tables).has_value());
    BOOST_TEST(!db::too_old({}).has_value()); // they are none, or not for us to see
}

BOOST_AUTO_TEST_SUITE_END()
