#include "db/schema/schema.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace {

using db::Version;

char const* name_of(std::optional<Version> version) {
    if (!version) return "none";
    return *version == Version::strapi4 ? "4" : "5";
}

} // namespace

BOOST_AUTO_TEST_SUITE(version)

BOOST_AUTO_TEST_CASE(a_project_is_of_the_strapi_that_its_package_names) {
    std::pair<char const*, char const*> const cases[] = {
        {R"({"dependencies": {"@strapi/strapi": "5.54.0"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": "^5"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": "~5.0.0-rc.1"}})", "5"},
        {R"({"dependencies": {"@strapi/strapi": ">=4.15.5"}})", "4"},
        {R"({"dependencies": {"@strapi/strapi": "4.26.2", "react": "18.0.0"}})", "4"},
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
    db::TableColumns tables{{"articles", {"id", "document_id"}}};
    BOOST_TEST(name_of(db::database_version(tables)) == "none");
    tables["up_users"] = {"id", "username"};
    BOOST_TEST(name_of(db::database_version(tables)) == "4");
    // As Strapi 5 makes the table, and as its migration leaves it.
    tables["up_users"] = {"id", "document_id", "username"};
    BOOST_TEST(name_of(db::database_version(tables)) == "5");
    tables["up_users"] = {"id", "username", "document_id", "locale", "published_at"};
    BOOST_TEST(name_of(db::database_version(tables)) == "5");
}

BOOST_AUTO_TEST_SUITE_END()
