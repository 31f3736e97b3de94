#include "fcgi/check/project_facts.hpp"
#include "folder.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

BOOST_AUTO_TEST_SUITE(project_facts)

namespace {

// Returns the facts of a project with these files.
fcgi::ProjectFacts facts_of(std::map<std::string, std::string> const& files,
                            std::string const& env_file = "") {
    Folder const folder;
    for (auto const& [name, text] : files)
        folder.write(name, text);
    return fcgi::read_project_facts(folder.path, env_file.empty() ? "" : folder.path / env_file);
}

std::string of(fcgi::ProjectFacts::Fact const& fact) {
    return fact ? *fact : "?" + fact.error().message;
}

// As `npx create-strapi-app` of 4.26 and of 5.54 writes it, in short.
constexpr auto generated = R"(
module.exports = ({ env }) => {
  const client = env('DATABASE_CLIENT', 'sqlite');
  const connections = {
    mysql: {
      connection: {
        host: env('DATABASE_HOST', 'localhost'),
        port: env.int('DATABASE_PORT', 3306),
        database: env('DATABASE_NAME', 'strapi'),
        user: env('DATABASE_USERNAME', 'strapi'),
        password: env('DATABASE_PASSWORD', 'strapi'),
        ssl: env.bool('DATABASE_SSL', false) && { key: env('DATABASE_SSL_KEY', undefined) },
      },
    },
    postgres: {
      connection: {
        connectionString: env('DATABASE_URL'),
        host: env('DATABASE_HOST', 'localhost'),
        port: env.int('DATABASE_PORT', 5432),
      },
    },
  };
  return { connection: { client, ...connections[client] } };
};
)";

} // namespace

BOOST_AUTO_TEST_CASE(generated_files_take_all_of_it_from_the_environment) {
    auto const facts = facts_of(
        {{"config/database.js", generated},
         {"config/server.js", "module.exports = ({ env }) => ({ host: env('HOST', '0.0.0.0'), "
                              "port: env.int('PORT', 1337) });"},
         {"config/admin.js",
          "module.exports = ({ env }) => ({ auth: { secret: env('ADMIN_JWT_SECRET') }, apiToken: { "
          "salt: env('API_TOKEN_SALT') }, transfer: { token: { salt: env('TRANSFER_TOKEN_SALT') } "
          "} });"},
         {".env", "DATABASE_CLIENT=mysql\nDATABASE_NAME=site\nDATABASE_HOST=db\n"
                  "DATABASE_USERNAME=editor\nPORT=1400\nJWT_SECRET=one\nAPI_TOKEN_SALT=two\n"
                  "TRANSFER_TOKEN_SALT=three\n"},
         {".env.example", "JWT_SECRET=tobemodified\n"}});
    BOOST_TEST(of(facts.client) == "mysql");
    BOOST_TEST(of(facts.database) == "site");
    BOOST_TEST(of(facts.host) == "db");
    BOOST_TEST(of(facts.port) == "3306");
    BOOST_TEST(of(facts.socket) == "");
    BOOST_TEST(of(facts.user) == "editor");
    BOOST_TEST(of(facts.cms_port) == "1400");
    BOOST_TEST(of(facts.jwt_secret) == "one");
    BOOST_TEST(of(facts.api_token_salt) == "two");
}

BOOST_AUTO_TEST_CASE(a_value_is_what_visibly_stands_in_the_file) {
    struct {
        char const* value;
        char const* database; // "?" and a part of the reason
    } const cases[] = {
        {"'fixed'", "fixed"},
        {"`fixed`", "fixed"},
        {"env('NAME')", "named"},
        {"env(\"NAME\", 'other')", "named"},
        {"env('NAME', fallback())", "named"},
        {"env('ABSENT', 'other')", "other"},
        {"env('ABSENT')", ""},
        {"env('EMPTY', 'other')", ""},
        {"process.env.NAME", "named"},
        {"undefined", ""},
        {"env('ABSENT', fallback())", "?running this code"},
        {"env('NAME') || 'other'", "?running this code"},
        {"env('NAME') + '_test'", "?running this code"},
        {"`${prefix}_site`", "?running this code"},
        {"process.env.NAME ?? 'other'", "?running this code"},
        {"env(name)", "?running this code"},
        {"read('/etc/site')", "?running this code"},
        {"env('UNSURE')", "?UNSURE has `${`"},
    };
    for (auto const& [value, database] : cases) {
        BOOST_TEST_CONTEXT(value) {
            auto const script = std::string("export default ({ env }) => ({ connection: { client: "
                                            "'mysql', connection: { database: ") +
                                value + ", host: 'db' } } });";
            auto const found =
                of(facts_of({{"config/database.ts", script},
                             {".env", "NAME=named\nEMPTY=\nUNSURE=${NAME}\nDATABASE_NAME=no\n"}})
                       .database);
            std::string const expected = database;
            if (expected.starts_with('?'))
                BOOST_TEST(
                    (found.starts_with('?') && found.find(expected.substr(1)) != std::string::npos),
                    found);
            else
                BOOST_TEST(found == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_declaration_ends_where_the_next_one_begins) {
    auto const facts = facts_of({{"config/database.js", R"(
            const database = env('NAME', 'site')
            const host = 'db'
            module.exports = { connection: { client: 'mysql2', connection: { database, host } } };)"},
                                 {".env", ""}});
    BOOST_TEST(of(facts.database) == "site");
    BOOST_TEST(of(facts.host) == "db");
    BOOST_TEST(of(facts.client) == "mysql2");
}

BOOST_AUTO_TEST_CASE(what_files_contradict_each_other_about_is_not_known) {
    std::string const contradiction = "?";
    struct {
        std::map<std::string, std::string> files;
        char const* env_file;
        char const* secret; // "?": not known
    } const cases[] = {
        {{{".env", "JWT_SECRET=a"}, {".env.production", "JWT_SECRET=b"}}, "", "?"},
        {{{".env", "JWT_SECRET=a"}, {".env.production", "JWT_SECRET=a"}}, "", "a"},
        {{{".env", "JWT_SECRET=a"}, {".env.production", "OTHER=b"}}, "", "a"},
        {{{".env", ""}, {".env.production", "JWT_SECRET=b"}}, "", "?"},
        {{{".env", "JWT_SECRET=a"}, {".env.production", "JWT_SECRET=b"}}, ".env.production", "b"},
        {{{".env.production", "JWT_SECRET=b"}}, "", "?"},
        {{{".env", "JWT_SECRET=a"}, {".env.sample", "JWT_SECRET=b"}}, "", "a"},
        {{{".env", "JWT_SECRET=a\nB=b"},
          {"config/plugins.js", "module.exports = { x: { jwtSecret: env('JWT_SECRET') } }"},
          {"config/env/production/plugins.js", "module.exports = { x: { jwtSecret: env('B') } }"}},
         "",
         "?"},
    };
    for (auto const& [files, env_file, secret] : cases) {
        BOOST_TEST_CONTEXT(files.begin()->second) {
            auto const found = of(facts_of(files, env_file).jwt_secret);
            BOOST_TEST((*secret == '?' ? found.substr(0, 1) : found) == secret, found);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

// Expected of dotenv 14.2 and 16.4, which Strapi 4 and 5 read .env with, of `docker --env-file` and
// of sh: where these differ there is a doubt.

BOOST_AUTO_TEST_SUITE(variables)

namespace {

fcgi::Variable read(std::string const& text) {
    Folder const folder;
    folder.write(".env", text);
    auto const variables = fcgi::read_variables(folder.path / ".env");
    BOOST_TEST_REQUIRE(variables.has_value());
    auto const found = variables->find("SECRET");
    return found == variables->end() ? fcgi::Variable{"none", {}, {}} : found->second;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_value_is_what_all_readers_of_such_files_agree_on) {
    struct {
        char const* text;
        char const* value;
    } const cases[] = {
        {"SECRET=abc", "abc"},
        {"SECRET = abc ", "abc"},
        {"  SECRET=abc\r\nB=c\r\n", "abc"},
        {"export SECRET=abc", "abc"},
        {"SECRET=abc # of the site", "abc"},
        {"SECRET=\"abc\" # of the site", "abc"},
        {"SECRET=\"a b # c\"", "a b # c"},
        {"SECRET='a\"b#c'", "a\"b#c"},
        {"SECRET='a\\nb'", "a\\nb"},
        {"SECRET=", ""},
        {"SECRET=''", ""},
        {"SECRET=a=b==", "a=b=="},
        {"SECRET=pa$word", "pa$word"},
        {"SECRET=one,two", "one,two"},
        {"SECRET=one\nSECRET=two", "two"},
        {"# SECRET=abc", "none"},
        {"NO_SECRET=abc", "none"},
        {"SECRET", "none"},
    };
    for (auto const& [text, value] : cases) {
        BOOST_TEST_CONTEXT(text) {
            auto const found = read(text);
            BOOST_TEST(found.value == value);
            BOOST_TEST(found.doubt == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(what_they_read_in_several_ways_is_a_doubt_and_shows_no_value) {
    struct {
        char const* text;
        char const* doubt;
    } const cases[] = {
        {"A=1\nSECRET=${A}xyz", "${"},      {"SECRET='${A}xyz'", "${"},
        {"SECRET=a#xyz", "comment"},        {"SECRET=#xyz", "comment"},
        {"SECRET=\"xyz", "closing quote"},  {"SECRET=\"a\"xyz", "text after"},
        {"SECRET=\"a\"#xyz", "text after"}, {"SECRET=\"a\\nxyz\"", "backslash"},
        {"SECRET=`xyz`", "backticks"},
    };
    for (auto const& [text, doubt] : cases) {
        BOOST_TEST_CONTEXT(text) {
            auto const found = read(text);
            BOOST_TEST(found.doubt.find(doubt) != std::string::npos);
            BOOST_TEST(found.doubt.find("xyz") == std::string::npos);
            BOOST_TEST(found.value == "");
            BOOST_TEST(found.place.find("/.env:") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_an_error) {
    Folder const folder;
    BOOST_TEST(!fcgi::read_variables(folder.path).has_value());
    BOOST_TEST(!fcgi::read_variables(folder.path / "missing").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
