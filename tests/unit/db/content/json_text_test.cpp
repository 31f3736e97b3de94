#include "db/content/json_text.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

BOOST_AUTO_TEST_SUITE(json_text)

namespace {

bool is_refused(std::string const& text) {
    boost::json::error_code error;
    auto const value = db::parse_line(text, error);
    BOOST_TEST((!error || value.is_null()));
    return error.failed();
}

boost::json::value parsed(std::string const& text) {
    boost::json::error_code error;
    auto value = db::parse_line(text, error);
    BOOST_TEST(!error, text);
    return value;
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

} // namespace

BOOST_AUTO_TEST_CASE(numbers_are_the_nearest_to_their_digits) {
    using Limits = std::numeric_limits<double>;
    std::pair<char const*, double> const cases[] = {
        {"0.1", 0.1},
        {"91.30000000000001", 91.30000000000001},
        {"1e23", 1e23},
        {"8.41e21", 8.41e21},
        {"9007199254740993.0", 9007199254740992.0}, // halfway: to the even one
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"5e-324", Limits::denorm_min()},
        {"1.7976931348623157e308", Limits::max()},
        {"-0.0", -0.0},
    };
    for (auto const& [text, number] : cases) {
        BOOST_TEST_REQUIRE(parsed(text).is_double(), text);
        BOOST_TEST(parsed(text).get_double() == number, text);
    }
}

BOOST_AUTO_TEST_CASE(whole_numbers_keep_all_their_digits) {
    BOOST_TEST(parsed("9007199254740993") == boost::json::value(9'007'199'254'740'993));
    BOOST_TEST(parsed("-9223372036854775808").get_int64() == INT64_MIN);
    BOOST_TEST(parsed("18446744073709551615").get_uint64() == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(a_document_is_what_it_was) {
    for (auto const* const text :
         {"null", "true", R"({"a":[1,"é",{}],"b":{"c":[]}})", R"("\"\\\n")", R"({"":""})"})
        BOOST_TEST(boost::json::serialize(parsed(text)) == text);
    BOOST_TEST(boost::json::serialize(parsed(R"( [ "\u00e9\ud83c\udf88" ] )")) == R"(["é🎈"])");
}

BOOST_AUTO_TEST_CASE(what_is_no_whole_document_is_refused) {
    for (auto const* const text : {"", " ", "[1", "1 2", "{} {}", "{\"a\"}", "[1,]", "nul", "'a'",
                                   "// nothing\n1", "\"\\ud83c\"", "\"\xff\"", "01", "NaN"})
        BOOST_TEST(is_refused(text), text);
}

BOOST_AUTO_TEST_CASE(a_document_has_200_levels_at_most) {
    BOOST_TEST(!is_refused(nested(200)));
    BOOST_TEST(is_refused(nested(201)));
    BOOST_TEST(is_refused(std::string(100'000, '[')));
}

BOOST_AUTO_TEST_SUITE_END()
