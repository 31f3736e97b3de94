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
    for (auto const& [text, expected] : rows)
        BOOST_TEST_CONTEXT('"' << text << '"') {
            BOOST_TEST(std::get<bool>(cast(AttributeType::boolean, text, where).value()) ==
                       expected);
            BOOST_TEST(db::cast_boolean(text) == expected);
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

// Expected values follow Strapi 4.26's field parsers and date-fns 2.30's parseISO, with a server
// whose clock shows UTC.

BOOST_AUTO_TEST_SUITE(cast_datetime_test)

namespace {

struct Row {
    std::string_view text;
    std::string_view expected;
};

using Cast = parser::Result<std::string> (*)(std::string_view);

void check(Cast cast, std::vector<Row> const& rows) {
    for (auto const& [text, expected] : rows)
        BOOST_TEST_CONTEXT('"' << text << '"') {
            auto const result = cast(text);
            BOOST_TEST(result.has_value());
            if (result) BOOST_TEST(*result == expected);
        }
}

void check_refused(Cast cast, std::string_view message,
                   std::vector<std::string_view> const& texts) {
    for (auto const text : texts)
        BOOST_TEST_CONTEXT('"' << text << '"') {
            auto const result = cast(text);
            BOOST_TEST(result.has_error());
            if (result) continue;
            BOOST_TEST((result.error().kind == parser::ErrorKind::invalid));
            BOOST_TEST(result.error().message == message);
        }
}

constexpr std::string_view not_a_datetime = "Invalid format, expected a timestamp or an ISO date";

} // namespace

BOOST_AUTO_TEST_CASE(a_date_is_the_first_ten_characters) {
    check(db::cast_date, {
                             {"2024-01-15", "2024-01-15"},
                             {"2024-02-29T10:00:00Z", "2024-02-29"},
                             {"2024-01-15 and more", "2024-01-15"},
                             {"2024-01-155", "2024-01-15"},
                             {"0000-01-01", "0000-01-01"},
                             {"2000-02-29", "2000-02-29"},
                             {"9999-12-31", "9999-12-31"},
                         });
}

BOOST_AUTO_TEST_CASE(a_date_has_dashes_and_a_month_and_day_that_exist_somewhere) {
    check_refused(db::cast_date, "Invalid format, expected yyyy-MM-dd",
                  {"", "bad", "2024", "2024-01", "2024-01-1", "2024-1-5", "20240115", "2024/01/15",
                   " 2024-01-15", "24-01-15", "+2024-01-15", "2024-00-15", "2024-13-15",
                   "2024-01-00", "2024-01-32", "2024-0\xC2\xB2-01"});
}

BOOST_AUTO_TEST_CASE(a_date_is_one_of_the_calendar) {
    check_refused(db::cast_date, "Invalid date",
                  {"2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-02-31T00:00:00Z"});
}

BOOST_AUTO_TEST_CASE(a_time_comes_out_with_milliseconds) {
    check(db::cast_time, {
                             {"12:34:56.789", "12:34:56.789"},
                             {"01:02:03", "01:02:03.000"},
                             {"01:02:03.4", "01:02:03.400"},
                             {"01:02:03.04", "01:02:03.040"},
                             {"00:00:00", "00:00:00.000"},
                             {"23:59:59.999", "23:59:59.999"},
                         });
}

BOOST_AUTO_TEST_CASE(any_one_character_may_stand_before_the_fraction_of_a_time) {
    check(db::cast_time, {
                             {"01:02:03,4", "01:02:03.400"},
                             {"01:02:03 4", "01:02:03.400"},
                             {"01:02:03é45", "01:02:03.450"},
                             {"01:02:03€456", "01:02:03.456"},
                             {"01:02:0314", "01:02:03.400"},   // the 1 stands for the point
                             {"01:02:031234", "01:02:03.234"}, // here too
                         });
}

BOOST_AUTO_TEST_CASE(a_time_of_another_shape_is_refused) {
    check_refused(db::cast_time, "Invalid time format, expected HH:mm:ss.SSS",
                  {"", "bad", "12:34", "1:02:03", "010203", " 01:02:03", "01:02:03 ", "24:00:00",
                   "12:60:00", "12:00:60", "-1:02:03", "01:02:03.", "01:02:031", "01:02:03.1234",
                   "01:02:03.1a", "01:02:03Z", "01:02:03\n1",
                   "01:02:03\xE2\x80\xA8"
                   "1",
                   "01:02:03😀1"});
}

BOOST_AUTO_TEST_CASE(a_datetime_may_be_a_year_a_month_or_a_day) {
    check(db::cast_datetime, {
                                 {"2024", "2024-01-01 00:00:00.000"},
                                 {"2024-", "2024-01-01 00:00:00.000"},
                                 {"2024-02", "2024-02-01 00:00:00.000"},
                                 {"202402", "2024-02-01 00:00:00.000"},
                                 {"2024-02-03", "2024-02-03 00:00:00.000"},
                                 {"20240203", "2024-02-03 00:00:00.000"},
                                 {"2024-0203", "2024-02-03 00:00:00.000"},
                                 {"202402-03", "2024-02-03 00:00:00.000"},
                                 {"0000", "0000-01-01 00:00:00.000"},
                                 {"0000-02-29", "0000-02-29 00:00:00.000"},
                                 {"2000-02-29", "2000-02-29 00:00:00.000"},
                                 {"9999-12-31", "9999-12-31 00:00:00.000"},
                             });
}

BOOST_AUTO_TEST_CASE(two_digits_are_a_century) {
    check(db::cast_datetime, {
                                 {"20", "2000-01-01 00:00:00.000"},
                                 {"12", "1200-01-01 00:00:00.000"},
                                 {"00", "0000-01-01 00:00:00.000"},
                                 {"19T12:30", "1900-01-01 12:30:00.000"},
                                 {"+0020", "2000-01-01 00:00:00.000"},
                             });
}

BOOST_AUTO_TEST_CASE(a_signed_year_has_six_digits) {
    check(db::cast_datetime, {
                                 {"+002024", "2024-01-01 00:00:00.000"},
                                 {"+002024-02-03", "2024-02-03 00:00:00.000"},
                                 {"+0020240203T04", "2024-02-03 04:00:00.000"},
                                 {"-000000", "0000-01-01 00:00:00.000"},
                             });
}

BOOST_AUTO_TEST_CASE(the_day_of_a_year_has_three_digits) {
    check(db::cast_datetime, {
                                 {"2024-001", "2024-01-01 00:00:00.000"},
                                 {"2024-060", "2024-02-29 00:00:00.000"},
                                 {"2023-060", "2023-03-01 00:00:00.000"},
                                 {"2023365", "2023-12-31 00:00:00.000"},
                                 {"2024-366T06:00", "2024-12-31 06:00:00.000"},
                             });
    check_refused(db::cast_datetime, not_a_datetime, {"2023-366", "2024-367", "2024-000"});
}

BOOST_AUTO_TEST_CASE(a_week_is_that_of_iso_8601) {
    check(db::cast_datetime, {
                                 {"2024-W01", "2024-01-01 00:00:00.000"},
                                 {"2024-W05-6", "2024-02-03 00:00:00.000"},
                                 {"2024W056", "2024-02-03 00:00:00.000"},
                                 {"2024-W05-7", "2024-02-04 00:00:00.000"},
                                 {"2024W05-6T04:05", "2024-02-03 04:05:00.000"},
                                 {"2023-W01-1", "2023-01-02 00:00:00.000"},
                                 {"2021-W01-1", "2021-01-04 00:00:00.000"}, // 1 January is a Friday
                                 {"2020-W53-5", "2021-01-01 00:00:00.000"},
                                 {"2025-W01-1", "2024-12-30 00:00:00.000"},
                                 // No such week: date-fns counts on from the 52nd.
                                 {"2023-W53-1", "2024-01-01 00:00:00.000"},
                             });
    check_refused(db::cast_datetime, not_a_datetime,
                  {"2024-W00", "2024-W54", "2024-W05-0", "2024-W05-8", "2024-W5", "2024-W05-",
                   "2024-w05", "2024-W05-11"});
}

BOOST_AUTO_TEST_CASE(a_time_follows_T_or_one_space) {
    check(db::cast_datetime, {
                                 {"2024-02-03T04", "2024-02-03 04:00:00.000"},
                                 {"2024-02-03T04:05", "2024-02-03 04:05:00.000"},
                                 {"2024-02-03T0405", "2024-02-03 04:05:00.000"},
                                 {"2024-02-03T04:05:06", "2024-02-03 04:05:06.000"},
                                 {"2024-02-03 04:05:06", "2024-02-03 04:05:06.000"},
                                 {"2024-02-03T040506", "2024-02-03 04:05:06.000"},
                                 {"20240203T040506", "2024-02-03 04:05:06.000"},
                                 {"2024T23:59", "2024-01-01 23:59:00.000"},
                                 {"2024-02-03T", "2024-02-03 00:00:00.000"},
                                 {"2024-02-03 ", "2024-02-03 00:00:00.000"},
                             });
    check_refused(db::cast_datetime, not_a_datetime,
                  {"2024-02-03t04:05", "2024-02-03  04:05", "2024-02-03T 04:05", "2024-02-03T4:05",
                   "2024-02-03T04:5", "2024-02-03T04:", "2024-02-03T04:05:06:07",
                   "2024-02-03T04:05 ", "04:05", "T04:05", "2024-02-03T04:05\n"});
}

BOOST_AUTO_TEST_CASE(a_fraction_of_a_second_is_cut_at_milliseconds) {
    check(db::cast_datetime, {
                                 {"2024-02-03T04:05:06.789123Z", "2024-02-03 04:05:06.789"},
                                 {"2024-02-03T04:05:06.9999", "2024-02-03 04:05:06.999"},
                                 {"2024-02-03T04:05:06,5", "2024-02-03 04:05:06.500"},
                                 {"2024-02-03T04:05:06.", "2024-02-03 04:05:06.000"},
                                 {"2024-02-03T040506.07", "2024-02-03 04:05:06.070"},
                                 // Before 1970 the milliseconds are negative and cut towards 0.
                                 {"1969-12-31T23:59:59.0019", "1969-12-31 23:59:59.002"},
                             });
}

BOOST_AUTO_TEST_CASE(every_unit_of_a_time_may_have_a_fraction) {
    check(db::cast_datetime, {
                                 {"2024-02-03T04.", "2024-02-03 04:00:00.000"},
                                 {"2024-02-03T04.5", "2024-02-03 04:30:00.000"},
                                 {"2024-02-03T04,25:30", "2024-02-03 04:45:00.000"},
                                 {"2024-02-03T04:05.5", "2024-02-03 04:05:30.000"},
                                 {"2024-02-03T04.5030.5", "2024-02-03 05:00:30.000"}, // 4.50, 30.5
                             });
}

BOOST_AUTO_TEST_CASE(midnight_is_also_24_00) {
    check(db::cast_datetime, {
                                 {"2024-02-03T24", "2024-02-04 00:00:00.000"},
                                 {"2024-02-29T24:00", "2024-03-01 00:00:00.000"},
                                 {"2023-12-31T24:00:00.000", "2024-01-01 00:00:00.000"},
                                 {"2024-02-03T24.5", "2024-02-04 00:30:00.000"}, // as date-fns
                             });
    check_refused(db::cast_datetime, not_a_datetime,
                  {"2024-02-03T24:01", "2024-02-03T24:00:00.001", "2024-02-03T25:00"});
}

BOOST_AUTO_TEST_CASE(an_offset_is_taken_off) {
    check(db::cast_datetime, {
                                 {"2024-02-03T04:05Z", "2024-02-03 04:05:00.000"},
                                 {"2024-02-03T04:05+02", "2024-02-03 02:05:00.000"},
                                 {"2024-02-03T04:05-02", "2024-02-03 06:05:00.000"},
                                 {"2024-02-03T04:05+0530", "2024-02-02 22:35:00.000"},
                                 {"2024-02-03T04:05+05:30", "2024-02-02 22:35:00.000"},
                                 {"2024-02-03T04:05:06.789-11:00", "2024-02-03 15:05:06.789"},
                                 {"2024-02-29T23-01", "2024-03-01 00:00:00.000"},
                                 {"2024-02-03T04:05+99:59", "2024-01-30 00:06:00.000"},
                                 {"2024-02-03Z", "2024-02-03 00:00:00.000"},
                                 {"2024-02-03T+01:00", "2024-02-02 23:00:00.000"},
                                 {"9999-12-31T23:59+01:00", "9999-12-31 22:59:00.000"},
                             });
    check_refused(db::cast_datetime, not_a_datetime,
                  {"2024-02-03T04:05+01:60", "2024-02-03T04:05 02:00", "2024-02-03T04:05z",
                   "2024-02-03z", "2024-02-03Z04:05", "2024-02-03T04:05Z ", "2024-02-03T04:05+xT",
                   "2024-02-03+01", "2024-02-03+01:00", "2024-02-03T04:05Z\n",
                   "2024-02-03T04:05+x\xE2\x80\xA8"});
}

BOOST_AUTO_TEST_CASE(an_offset_of_another_shape_is_utc) {
    check(db::cast_datetime,
          {
              {"2024-02-03T04:05+5", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05-", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05+1:00", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05+01:", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05Z+02:00", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05Zulu", "2024-02-03 04:05:00.000"},
              {"2024-02-03T04:05Z02:00", "2024-02-03 04:05:00.000"},
              {"2024-02-03ZT04:05", "2024-02-03 00:00:00.000"}, // all of `ZT04:05`
          });
}

BOOST_AUTO_TEST_CASE(what_is_not_a_date_may_be_milliseconds) {
    check(db::cast_datetime, {
                                 {"0", "1970-01-01 00:00:00.000"},
                                 {"-0", "1970-01-01 00:00:00.000"},
                                 {"1", "1970-01-01 00:00:00.001"},
                                 {"123", "1970-01-01 00:00:00.123"},
                                 {"17069", "1970-01-01 00:00:17.069"},
                                 {"-1", "1969-12-31 23:59:59.999"},
                                 {"-86400000", "1969-12-31 00:00:00.000"},
                                 {"1706933106789", "2024-02-03 04:05:06.789"},
                                 {"1706933106789 ", "2024-02-03 04:05:06.789"},
                                 {"1706933106789\n\t\xC2\xA0", "2024-02-03 04:05:06.789"},
                                 {"0001706933106789", "2024-02-03 04:05:06.789"},
                                 {"-62167219200000", "0000-01-01 00:00:00.000"},
                                 {"253402300799999", "9999-12-31 23:59:59.999"},
                                 // A year and month that do not exist: 20241301 ms.
                                 {"20241301", "1970-01-01 05:37:21.301"},
                                 // Years that a JavaScript date can't have.
                                 {"-999999", "1969-12-31 23:43:20.001"},
                                 {"-271821", "1969-12-31 23:55:28.179"},
                             });
    check_refused(db::cast_datetime, not_a_datetime,
                  {"1706933106789x", " 1706933106789", "1 2", "1.5", "0x10", "+1", "--1",
                   "8640000000000001", "99999999999999999999", "-99999999999999999999"});
}

BOOST_AUTO_TEST_CASE(a_year_that_no_column_can_hold_is_refused) {
    check_refused(db::cast_datetime, not_a_datetime,
                  {"+010000", "+012024-02-03", "-000001", "-0001", "-271820", "+275760", "+999999",
                   "9999-12-31T24:00", "9999-12-31T23:59-01:00", "0000-01-01T00:00+01",
                   "-62167219200001", "253402300800000", "8640000000000000", "-8640000000000000"});
}

BOOST_AUTO_TEST_CASE(a_datetime_of_another_shape_is_refused) {
    check_refused(db::cast_datetime, not_a_datetime,
                  {"",
                   " ",
                   "-",
                   "+",
                   "Z",
                   "T",
                   "bad",
                   "now",
                   "1e3",
                   "NaN",
                   "null",
                   " 2024-02-03",
                   "2024-2-3",
                   "2024/02/03",
                   "2024-13-01",
                   "2024-00-01",
                   "2024-02-00",
                   "2024-02-30",
                   "2023-02-29",
                   "1900-02-29",
                   "2024--02",
                   "2024-02-",
                   "2024-02--03",
                   "2024-02-03-",
                   "20240203-",
                   "20-",
                   "202-01",
                   "+2024-02-03",
                   "+02024",
                   "2024-02-03T60:00",
                   "2024-02-03T12:60",
                   "2024-02-03T12:00:60",

                   "2024-02-03T12:00:00.5.5",
                   "2024:01",
                   "Feb 3 2024"});
}

BOOST_AUTO_TEST_SUITE_END()
