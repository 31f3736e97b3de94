#include "parser/base/javascript.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(json_string)

namespace {

struct Example {
    std::string text;
    std::string expected;
};

std::ostream& operator<<(std::ostream& out, Example const& example) {
    return out << example.expected;
}

} // namespace

Example const characters[] = {
    {"\"", R"(\")"},
    {"\\", R"(\\)"},
    {"\b", R"(\b)"},
    {"\t", R"(\t)"},
    {"\n", R"(\n)"},
    {"\f", R"(\f)"},
    {"\r", R"(\r)"},
    {std::string(1, '\0'), R"(\u0000)"},
    {"\x01", R"(\u0001)"},
    {"\x0B", R"(\u000b)"},
    {"\x10", R"(\u0010)"},
    {"\x1F", R"(\u001f)"},
    {" ", " "},
    {"/", "/"},
    {"'", "'"},
    {"\x7F", "\x7F"},
    {"é", "é"},
    {"\u2028", "\u2028"},
    {"😀", "😀"},
};
// Wherever it stands: text is looked at in blocks.
BOOST_DATA_TEST_CASE(each_character_is_escaped_as_json_stringify_does, data::make(characters)) {
    for (std::size_t before = 0; before < 40; ++before) {
        for (std::size_t after = 0; after < 40; ++after) {
            std::string out = "x";
            parser::append_json_string(out, std::string(before, 'a') + sample.text +
                                                std::string(after, 'b'));
            BOOST_TEST_REQUIRE(out == "x\"" + std::string(before, 'a') + sample.expected +
                                          std::string(after, 'b') + "\"");
        }
    }
}

// However long it is: text with escapes is put together in pieces.
BOOST_AUTO_TEST_CASE(a_text_is_escaped_as_its_characters_are) {
    std::string text;
    std::string expected;
    while (text.size() < 4'000) {
        auto const& character = characters[(text.size() / 7) % std::size(characters)];
        auto const plain = std::string(text.size() % 41, 'a');
        text += plain + character.text;
        expected += plain + character.expected;
        std::string out;
        parser::append_json_escaped(out, text);
        BOOST_TEST_REQUIRE(out == expected);
    }
    std::string out;
    parser::append_json_escaped(out, std::string(2'000, '\x01'));
    std::string longest;
    for (int i = 0; i < 2'000; ++i)
        longest += "\\u0001";
    BOOST_TEST(out == longest);
}

BOOST_AUTO_TEST_CASE(nothing_is_an_empty_string) {
    std::string out;
    parser::append_json_string(out, {});
    BOOST_TEST(out == "\"\"");
}

BOOST_AUTO_TEST_SUITE_END()
