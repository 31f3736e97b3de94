#include "parser/base/javascript.hpp"
#include "tests/unit/sample.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <ostream>

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(javascript_number)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Example {
    std::string text;
    double number;
};

std::ostream& operator<<(std::ostream& out, Example const& example) {
    return out << example.text;
}

std::string printed(double number) {
    std::string out = "before ";
    parser::append_number(out, number);
    return out.substr(7);
}

} // namespace

Example const numbers[] = {
    {"", 0},
    {"0", 0},
    {"42", 42},
    {"-42", -42},
    {"+42", 42},
    {"007", 7},
    {"1.5", 1.5},
    {".5", 0.5},
    {"5.", 5},
    {"-.5", -0.5},
    {"1e3", 1000},
    {"1E+3", 1000},
    {"1e-3", 0.001},
    {".5e1", 5},
    {" \t\n\v\f\r12\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF", 12},
    {"   ", 0},
    {"Infinity", infinity},
    {"+Infinity", infinity},
    {"-Infinity", -infinity},
    {"1e309", infinity},
    {"-1e309", -infinity},
    {"1e-400", 0},
    {"5e-324", 5e-324},
    {"9007199254740993", 9007199254740992},
    {"0x1F", 31},
    {"0XfF", 255},
    {"0b101", 5},
    {"0o17", 15},
    // The nearest double; a tie goes to the even one, and one bit far behind breaks it.
    {"0x20000000000001", 9007199254740992},
    {"0x20000000000003", 9007199254740996},
    {"0x200000000000010000000000000000001", 0x1.0000000000001p+129},
};
BOOST_DATA_TEST_CASE(text_is_read_as_number_does, numbers) {
    auto const number = parser::javascript_number(sample.text);
    BOOST_REQUIRE(number.has_value());
    BOOST_TEST(*number == sample.number);
}

BOOST_DATA_TEST_CASE(
    other_text_is_not_a_number,
    data::make({"a",        "1a",        "a1",   "1 2",  "1,5",     "1_000",   "--1",  "+-1",
                "-+1",      "+",         "-",    ".",    "e5",      ".e5",     "1e",   "1e+",
                "1e5.5",    "1.2.3",     "0x",   "0xg",  "0b",      "0b2",     "0o8",  "-0x1",
                "+0x1",     "0x1.8",     "0x-1", "1n",   "inf",     "nan",     "NaN",  "infinity",
                "INFINITY", "Infinity1", "null", "true", "\u200B1", "\u180E1", "1\xFF"})) {
    BOOST_TEST(!parser::javascript_number(sample).has_value());
}

Example const prints[] = {
    {"0", 0},
    {"0", -0.0},
    {"1", 1},
    {"-1", -1},
    {"1.5", 1.5},
    {"0.1", 0.1},
    {"0.30000000000000004", 0.1 + 0.2},
    {"10.1", 10.10},
    {"100", 1e2},
    {"9007199254740991", 9007199254740991},
    {"9007199254740992", 9007199254740992},
    {"12345678901234567000", 12345678901234567890.0},
    {"100000000000000000000", 1e20},
    {"123456789012345680000", 123456789012345680000.0},
    {"1e+21", 1e21},
    {"1.5e+300", 1.5e300},
    {"-1.7976931348623157e+308", -std::numeric_limits<double>::max()},
    {"0.000001", 1e-6},
    {"0.0000015", 1.5e-6},
    {"1e-7", 1e-7},
    {"-1.5e-7", -1.5e-7},
    {"5e-324", 5e-324},
    {"123456789.12345678", 123456789.12345678},
    {"Infinity", infinity},
    {"-Infinity", -infinity},
    {"NaN", std::nan("")},
};
BOOST_DATA_TEST_CASE(numbers_are_printed_as_string_does, prints) {
    BOOST_TEST(printed(sample.number) == sample.text);
}

BOOST_AUTO_TEST_CASE(what_is_printed_reads_back_as_the_same_number) {
    double number = 1.1;
    for (int i = 0; i < 20'000; ++i) {
        number = std::fmod(number * 1.618033988749895e3, 1e30) + 1e-9;
        double const scaled = std::ldexp(number, i % 2'000 - 1'000);
        BOOST_TEST_REQUIRE(parser::javascript_number(printed(scaled)).value() == scaled);
        BOOST_TEST_REQUIRE(parser::javascript_number(printed(-scaled)).value() == -scaled);
    }
}

// As a server writes numbers of columns, and what else may stand there.
Sample const columns[] = {
    {"0", "0"},
    {"-0", "0"},
    {"7", "7"},
    {"-7", "-7"},
    {"007", "7"},
    {"10", "10"},
    {"12.50", "12.5"},
    {"12.00", "12"},
    {"-12.00", "-12"},
    {"100.0", "100"},
    {"0.5", "0.5"},
    {"-0.50", "-0.5"},
    {"0.00", "0"},
    {"-0.0", "0"},
    {"0.05", "0.05"},
    {"0.0000001", "1e-7"},
    {"5.", "5"},
    {".5", "0.5"},
    {".", "0"},
    {"1e3", "1000"},
    {"123456789012345", "123456789012345"},
    {"12345678901234.5", "12345678901234.5"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"9007199254740993", "9007199254740992"},
    {"3.1415926535897932", "3.141592653589793"},
    {"", "0"},
    {"abc", "0"},
    {"1.2.3", "0"},
    {"1.2.00", "0"},
    {"1.5e10", "15000000000"},
    {"--1", "0"},
};
BOOST_DATA_TEST_CASE(a_column_is_printed_as_its_number, columns) {
    std::string out = "before ";
    parser::append_number_of(out, sample.text);
    BOOST_TEST(out == "before " + sample.expected);
}

BOOST_AUTO_TEST_CASE(decimals_that_are_copied_are_printed_as_any_number) {
    std::uint64_t random = 1;
    for (int i = 0; i < 100'000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        std::string text = std::to_string(random >> (13 + random % 50));
        text.insert(text.size() - random / 7 % (text.size() + 1), ".");
        if (random % 3 == 0) text.insert(0, "-");
        std::string copied;
        parser::append_number_of(copied, text);
        BOOST_TEST_REQUIRE(copied == printed(parser::javascript_number(text).value()), text);
    }
}

Example const indices[] = {
    {"0", 0},
    {"7", 7},
    {"10", 10},
    {"4294967294", 4294967294.0},
};
BOOST_DATA_TEST_CASE(an_index_is_a_canonical_integer, indices) {
    BOOST_TEST(parser::array_index(sample.text).value() == sample.number);
}

BOOST_DATA_TEST_CASE(other_names_are_not_indices,
                     data::make({"", "00", "01", "-1", "+1", "1.0", "1e3", " 1", "1 ", "a", "1a",
                                 "4294967295", "4294967296", "99999999999999999999"})) {
    BOOST_TEST(!parser::array_index(sample).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(json_string)

Sample const characters[] = {
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
BOOST_DATA_TEST_CASE(each_character_is_escaped_as_json_stringify_does, characters) {
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
