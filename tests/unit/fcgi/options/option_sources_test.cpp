#include "fcgi/options/option_sources.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(configuration_file)

namespace {

// A file with this text is read so; `error` has `:LINE: …` alone.
struct Read {
    std::vector<fcgi::Setting> settings;
    std::string error;
};

Read read(std::string const& text) {
    auto const path = std::filesystem::temp_directory_path() /
                      ("populate-configuration." + std::to_string(::getpid()));
    std::ofstream(path) << text;
    auto const settings = fcgi::read_configuration(path);
    std::filesystem::remove(path);
    if (settings) return {*settings, {}};
    BOOST_TEST(settings.error().message.starts_with(path.string()));
    return {{}, settings.error().message.substr(path.string().size())};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_value_is_what_stands_in_quotes_or_between_blanks) {
    std::pair<char const*, char const*> const cases[] = {
        {"name=value", "value"},
        {"  name \t=  value  ", "value"},
        {"name = value\r", "value"},
        {"name = two words", "two words"},
        {"name = a, b", "a, b"},
        {"name = a=b", "a=b"},
        {"name = value # comment", "value"},
        {"name = value\t#comment", "value"},
        {"name = # comment", ""},
        {"name =", ""},
        {"name = \"a # b\"", "a # b"},
        {"name = 'a#b' # comment", "a#b"},
        {"name = \" a \"", " a "},
        {"name = \"it's\"", "it's"},
        {"name = 'say \"no\"'", "say \"no\""},
        {"name = it's", "it's"},
        {"name = \"a\\b\"", "a\\b"},
        {"name = \"\"", ""},
    };
    for (auto const& [line, value] : cases)
        BOOST_TEST_CONTEXT(line) {
            auto const [settings, error] = read(std::string("# first\n\n") + line + "\n");
            BOOST_TEST(error == "");
            BOOST_TEST_REQUIRE(settings.size() == 1U);
            BOOST_TEST(settings[0].name == "name");
            BOOST_TEST(settings[0].value == value);
            BOOST_TEST(settings[0].line == 3U);
        }
}

BOOST_AUTO_TEST_CASE(an_error_is_reported_with_its_line_and_without_the_value) {
    struct {
        char const* text;
        char const* error; // as it begins
    } const cases[] = {
        {"name", ":1: expected `name = value`"},
        {"= s3cret", ":1: expected `name = value`"},
        {"\n[s3cret]", ":2: expected `name = value`"},
        {"a = 1\nname = s3cret#s3cret", ":2: `name` has a `#` in its value"},
        {"name = s3cret##", ":1: `name` has a `#` in its value"},
        {"name = \"s3cret", ":1: `name` has a value without a closing quote"},
        {"name = 's3cret\" # '' x", ":1: `name` has text after the closing quote"},
        {"name = \"s3cret\"s3cret", ":1: `name` has text after the closing quote"},
        {"name = 1\nother = 2\nname = s3cret", ":3: `name` is already set on line 1"},
    };
    for (auto const& [text, expected] : cases)
        BOOST_TEST_CONTEXT(text) {
            auto const error = read(text).error;
            BOOST_TEST(error.starts_with(expected), error);
            BOOST_TEST(error.find("s3cret") == error.npos, error);
        }
}

BOOST_AUTO_TEST_CASE(a_file_may_have_no_settings) {
    for (auto const* text : {"", "\n", "# only\n   # comments", "\r\n\r\n"})
        BOOST_TEST(read(text).settings.empty(), text);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_an_error_with_its_reason) {
    BOOST_TEST(fcgi::read_configuration("/nowhere/conf").error().message ==
               "/nowhere/conf: cannot be read: No such file or directory");
    BOOST_TEST(fcgi::read_configuration("/").error().message ==
               "/: cannot be read: Is a directory");
}

BOOST_AUTO_TEST_SUITE_END()
