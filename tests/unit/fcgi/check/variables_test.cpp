#include "fcgi/check/variables.hpp"
#include "folder.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

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

BOOST_AUTO_TEST_CASE(a_value_that_files_contradict_each_other_about_is_not_known) {
    std::string const unknown = "?";
    struct {
        std::map<std::string, std::string> files;
        std::string secret;
    } const cases[] = {
        {{{".env", "SECRET=a"}}, "a"},
        {{{".env", "SECRET=a"}, {".env.production", "SECRET=b"}}, unknown},
        {{{".env", "SECRET=a"}, {".env.production", "SECRET=a"}}, "a"},
        {{{".env", "SECRET=a"}, {".env.production", "OTHER=b"}}, "a"},
        {{{".env", ""}, {".env.production", "SECRET=b"}}, unknown},
        {{{".env.production", "SECRET=b"}}, unknown},
        {{{".env", "SECRET=a"}, {".env.sample", "SECRET=b"}}, "a"},
        {{{".env", "SECRET=${A}"}}, unknown},
        {{{".env", ""}}, unknown},
    };
    for (auto const& [files, secret] : cases) {
        BOOST_TEST_CONTEXT(files.begin()->second) {
            Folder const folder;
            for (auto const& [name, text] : files)
                folder.write(name, text);
            auto const found = fcgi::value_of(fcgi::read_project_variables(folder.path), "SECRET");
            BOOST_TEST(found.has_value() == (secret != unknown));
            if (found) BOOST_TEST(*found == secret);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_an_error) {
    Folder const folder;
    BOOST_TEST(!fcgi::read_variables(folder.path).has_value());
    BOOST_TEST(!fcgi::read_variables(folder.path / "missing").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
