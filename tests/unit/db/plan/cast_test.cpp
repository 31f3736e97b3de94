#include "db/plan/cast.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>
#include <vector>

// Expected values follow the field types of Strapi 4.26.

BOOST_AUTO_TEST_SUITE(cast_test)

namespace {

using db::AttributeType;
using db::cast;

constexpr std::string_view where = "filters[rank][$gt]";

} // namespace

BOOST_AUTO_TEST_CASE(text_stays_as_it_is) {
    for (auto const type :
         {AttributeType::string, AttributeType::text, AttributeType::richtext, AttributeType::uid,
          AttributeType::email, AttributeType::enumeration, AttributeType::password})
        for (std::string const text : {"", " a ", "12", "null", "O'Neil \\ \"é\"", "100%"})
            BOOST_TEST((cast(type, text, where).value() == db::Literal(text)));
}

BOOST_AUTO_TEST_CASE(a_biginteger_keeps_every_digit) {
    for (std::string const text : {"9007199254740993", "9223372036854775807", "abc", ""})
        BOOST_TEST((cast(AttributeType::biginteger, text, where).value() == db::Literal(text)));
}

BOOST_AUTO_TEST_CASE(a_number_is_read_as_javascript_does) {
    std::vector<std::pair<std::string_view, double>> const rows = {
        {"1", 1},     {"-3", -3},    {"1.5", 1.5}, {"", 0},     {" 7\n", 7},
        {"0x10", 16}, {"0b11", 3},   {"0o17", 15}, {"1e1", 10}, {"1e-7", 1e-7},
        {".5", 0.5},  {"5.", 5},     {"+2", 2},    {"-0", 0},   {"99999999999999", 99999999999999},
        {"0.1", 0.1}, {"010", 10.0},
    };
    for (auto const type :
         {AttributeType::integer, AttributeType::floating, AttributeType::decimal}) {
        for (auto const& [text, expected] : rows) {
            BOOST_TEST_CONTEXT('"' << text << '"')
            BOOST_TEST(std::get<double>(cast(type, text, where).value()) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_finite_number_is_refused) {
    for (auto const type :
         {AttributeType::integer, AttributeType::floating, AttributeType::decimal}) {
        for (std::string const text :
             {"abc", "null", "1,5", "1 2", "NaN", "Infinity", "-Infinity", "1e309", "-0x1"}) {
            auto const result = cast(type, text, where);
            BOOST_TEST_CONTEXT('"' << text << '"') {
                BOOST_REQUIRE(result.has_error());
                BOOST_TEST((result.error().kind == parser::ErrorKind::invalid));
                BOOST_TEST(result.error().message ==
                           "filters[rank][$gt]: expected a number, received \"" + text + '"');
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_boolean_is_anything_but_four_words_for_no) {
    std::vector<std::pair<std::string_view, bool>> const rows = {
        {"true", true}, {"t", true},    {"1", true},    {"false", false}, {"f", false},
        {"0", false},   {"", false},    {"TRUE", true}, {"False", true},  {"F", true},
        {"foo", true},  {"null", true}, {" ", true},    {"00", true},     {"no", true},
    };
    for (auto const& [text, expected] : rows) {
        BOOST_TEST_CONTEXT('"' << text << '"') {
            BOOST_TEST(std::get<bool>(cast(AttributeType::boolean, text, where).value()) ==
                       expected);
            BOOST_TEST(db::cast_boolean(text) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(json_is_compared_as_the_json_of_a_string) {
    std::vector<std::pair<std::string_view, std::string>> const rows = {
        {"x", R"("x")"},
        {"", R"("")"},
        {"42", R"("42")"},
        {R"({"k":"v"})", R"("{\"k\":\"v\"}")"},
        {"a\\b\n\x01/é", R"("a\\b\n\u0001/é")"},
    };
    for (auto const& [text, expected] : rows)
        BOOST_TEST((cast(AttributeType::json, text, where).value() == db::Literal(expected)));
}

BOOST_AUTO_TEST_CASE(dates_and_times_have_each_their_own_form) {
    struct Row {
        AttributeType type;
        std::string_view text;
        std::string expected;
    };
    std::vector<Row> const rows = {
        {AttributeType::date, "2024-02-03T04:05:06", "2024-02-03"},
        {AttributeType::time, "04:05:06", "04:05:06.000"},
        {AttributeType::datetime, "2024-02-03T04:05:06Z", "2024-02-03 04:05:06.000"},
        {AttributeType::timestamp, "2024-02-03T04:05:06Z", "2024-02-03 04:05:06.000"},
        {AttributeType::timestamp, "1706933106789", "2024-02-03 04:05:06.789"},
    };
    for (auto const& [type, text, expected] : rows)
        BOOST_TEST((cast(type, text, where).value() == db::Literal(expected)));
}

BOOST_AUTO_TEST_CASE(a_date_or_time_that_cannot_be_read_has_the_text_of_the_reference) {
    std::vector<std::pair<AttributeType, std::string_view>> const rows = {
        {AttributeType::date, "Invalid format, expected yyyy-MM-dd"},
        {AttributeType::time, "Invalid time format, expected HH:mm:ss.SSS"},
        {AttributeType::datetime, "Invalid format, expected a timestamp or an ISO date"},
        {AttributeType::timestamp, "Invalid format, expected a timestamp or an ISO date"},
    };
    for (auto const& [type, message] : rows) {
        auto const result = cast(type, "bad", where);
        BOOST_REQUIRE(result.has_error());
        BOOST_TEST((result.error().kind == parser::ErrorKind::invalid));
        BOOST_TEST(result.error().message == message);
    }
}

BOOST_AUTO_TEST_SUITE_END()
