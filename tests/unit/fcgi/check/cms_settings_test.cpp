#include "fcgi/check/check.hpp"
#include "fcgi/check/project_scripts.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cms_settings)

namespace {

// `config` is config/database.js; without .env where that is null.
fcgi::CmsSettings settings_of(TemporaryProject& project, std::string const& config,
                              char const* environment) {
    project.write("../config/database.js", config);
    if (environment) project.write("../.env", environment);
    return fcgi::read_cms_settings(project.folder());
}

std::string text_of(fcgi::CmsValues const& values) {
    std::string text;
    for (auto const& setting : values)
        text += (text.empty() ? "" : ",") + setting.text + (setting.is_default ? "?" : "");
    return text;
}

} // namespace

// The CMS's environment may have another value than a default, which has a `?` here.
BOOST_AUTO_TEST_CASE(a_value_is_what_the_script_takes_of_the_environment_file) {
    struct {
        std::string script; // of the database's name
        char const* environment;
        std::string expected;
    } const cases[] = {
        {"database: 'cms'", nullptr, "cms"},
        {"database: \"cms\"", "DATABASE_NAME=other", "cms"},
        {"database: env('DATABASE_NAME')", "DATABASE_NAME=cms", "cms"},
        {"database: env('DATABASE_NAME', 'strapi')", "DATABASE_NAME=cms", "cms"},
        {"database: env('DATABASE_NAME', 'strapi')", "OTHER=cms", "strapi?"},
        {"database: env('DATABASE_NAME', 'strapi')", nullptr, ""},
        {"database: env('DATABASE_NAME')", "OTHER=cms", ""},
        {"database: process.env.DATABASE_NAME || 'strapi'", "DATABASE_NAME=cms", "cms"},
        {"database: process.env.DATABASE_NAME ?? 'strapi'", "", "strapi?"},
        {"database: name(env('DATABASE_NAME'))", "DATABASE_NAME=cms", ""},
        {"database: 'cms' + suffix", "", ""},
        {"mysql: { connection: { database: 'cms' } }, postgres: { connection: { database: 'pg' } }",
         "", "cms"},
    };
    for (auto const& [script, environment, expected] : cases) {
        TemporaryProject project;
        auto const cms = settings_of(project, "module.exports = ({ env }) => ({ " + script + " });",
                                     environment);
        BOOST_TEST(text_of(cms.database) == expected, script);
    }
}

BOOST_AUTO_TEST_CASE(the_file_is_read_as_dotenv_reads_it) {
    struct {
        char const* environment;
        std::string expected;
    } const cases[] = {
        {"JWT_SECRET=a=b/c+d==", "a=b/c+d=="},
        {"  JWT_SECRET = a \r\n", "a"},
        {"JWT_SECRET=\"a # b\" # c", "a # b"},
        {"JWT_SECRET='a\"b'", "a\"b"},
        {"JWT_SECRET=a # b", "a"},
        {"JWT_SECRET=a#b", "a"},
        {"export JWT_SECRET=a", "a"},
        {"# JWT_SECRET=a", ""},
        {"JWT_SECRET=a\nJWT_SECRET=b", "b"},
        {"JWT_SECRETS=a", ""},
    };
    for (auto const& [environment, expected] : cases) {
        TemporaryProject project;
        BOOST_TEST(text_of(settings_of(project, "", environment).jwt_secret) == expected,
                   environment);
    }
}

BOOST_AUTO_TEST_CASE(each_environment_of_the_project_may_have_a_value_of_its_own) {
    TemporaryProject project;
    project.write("../config/env/production/database.js",
                  "module.exports = { connection: { client: 'mysql2', database: 'live' } };");
    auto const cms = settings_of(
        project, "const client = 'sqlite'\nmodule.exports = { client, database: 'test' };", "");
    BOOST_TEST(text_of(cms.database) == "test,live");
    BOOST_TEST(text_of(cms.client) == "sqlite,mysql2");
    BOOST_TEST(cms.database[1].place() ==
               (project.folder() / "config/env/production/database.js").string());
}

BOOST_AUTO_TEST_CASE(what_was_not_read_is_said) {
    TemporaryProject project;
    auto const cms = settings_of(project, "", nullptr);
    BOOST_TEST(cms.unread == "there is no " + (project.folder() / ".env").string());
    BOOST_TEST(text_of(cms.jwt_secret) == "");
    BOOST_TEST(settings_of(project, "", "").unread == "");
}

BOOST_AUTO_TEST_CASE(names_of_one_machine_are_known) {
    BOOST_TEST((fcgi::is_same_machine("localhost", "127.0.0.1") == true));
    BOOST_TEST((fcgi::is_same_machine("127.0.0.1", "127.0.0.2") == true));
    BOOST_TEST((fcgi::is_same_machine("192.0.2.1", "192.0.2.1") == true));
    BOOST_TEST((fcgi::is_same_machine("192.0.2.1", "203.0.113.77") == false));
    BOOST_TEST((fcgi::is_same_machine("localhost", "203.0.113.77") == false));
    BOOST_TEST((!fcgi::is_same_machine("localhost", "no-such-host.invalid")));
}

BOOST_AUTO_TEST_SUITE_END()
