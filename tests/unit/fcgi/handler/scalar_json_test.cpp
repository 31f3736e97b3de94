#include "db/plan/cast.hpp"
#include "db/plan/time_zone.hpp"
#include "fcgi/handler/scalar_json.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <tuple>
using db::AttributeType;

BOOST_AUTO_TEST_SUITE(scalar_json)

namespace {

struct Example {
    AttributeType type;
    std::string cell;
    std::string json;
};

std::ostream& operator<<(std::ostream& out, Example const& example) {
    return out << example.cell;
}

std::string scalar(AttributeType type, std::string_view cell, bool is_tinyint = true) {
    db::Attribute attribute;
    attribute.type = type;
    attribute.is_tinyint = is_tinyint;
    std::string out;
    fcgi::append_scalar(out, attribute, cell);
    return out;
}

} // namespace

// Columns and answers of Strapi 4.26.
Example const columns[] = {
    {AttributeType::string, "", R"("")"},
    {AttributeType::string, "tab\there \"quoted\" \\ /", R"("tab\there \"quoted\" \\ /")"},
    {AttributeType::text, "line\u2028separator", "\"line\u2028separator\""},
    {AttributeType::richtext, "**é**\r\n", R"("**é**\r\n")"},
    {AttributeType::uid, "a-b", R"("a-b")"},
    {AttributeType::email, "a@b.co", R"("a@b.co")"},
    {AttributeType::enumeration, "four four", R"("four four")"},
    {AttributeType::integer, "-2147483648", "-2147483648"},
    {AttributeType::biginteger, "9007199254740993", R"("9007199254740993")"},
    {AttributeType::biginteger, "-9223372036854775808", R"("-9223372036854775808")"},
    {AttributeType::floating, "1.7976931348623157e308", "1.7976931348623157e+308"},
    {AttributeType::floating, "0.0000001", "1e-7"},
    {AttributeType::floating, "1e21", "1e+21"},
    {AttributeType::floating, "1e20", "100000000000000000000"},
    {AttributeType::floating, "0.000001", "0.000001"},
    {AttributeType::floating, "0.30000000000000004", "0.30000000000000004"},
    {AttributeType::floating, "-0", "0"},
    {AttributeType::floating, "1e15", "1000000000000000"},
    {AttributeType::decimal, "10.50", "10.5"},
    {AttributeType::decimal, "3.00", "3"},
    {AttributeType::decimal, "-99999999.99", "-99999999.99"},
    {AttributeType::boolean, "1", "true"},
    {AttributeType::boolean, "0", "false"},
    {AttributeType::boolean, "2", "false"},
    {AttributeType::date, "2024-02-29", R"("2024-02-29")"},
    {AttributeType::date, "0000-00-00", R"("0000-00-00")"},
    {AttributeType::time, "-01:02:03.500", R"("-01:02:03.500")"},
    {AttributeType::time, "838:59:59.000", R"("838:59:59.000")"},
    {AttributeType::json, R"( {"b": 1.0, "1": [ ]} )", R"({"1":[],"b":1})"},
};
BOOST_DATA_TEST_CASE(each_type_has_its_form, columns) {
    BOOST_TEST(scalar(sample.type, sample.cell) == sample.json);
}

BOOST_AUTO_TEST_CASE(null_is_null_in_every_type) {
    for (int type = 0; type <= static_cast<int>(AttributeType::json); ++type)
        BOOST_TEST(scalar(static_cast<AttributeType>(type), {}) == "null");
}

// Strapi's driver makes a boolean of a TINYINT(1); of other columns Strapi knows 1 and 0.
BOOST_AUTO_TEST_CASE(a_boolean_that_is_neither_1_nor_0_depends_on_its_column) {
    std::tuple<char const*, char const*, char const*> const table[] = {
        {"1", "true", "true"},   {"0", "false", "false"}, {"2", "false", "null"},
        {"-1", "false", "null"}, {"", "false", "null"},
    };
    for (auto const& [cell, in_tinyint, in_others] : table) {
        BOOST_TEST(scalar(AttributeType::boolean, cell) == in_tinyint, cell);
        BOOST_TEST(scalar(AttributeType::boolean, cell, false) == in_others, cell);
    }
}

struct Moment {
    std::string cell;
    std::string iso;
    std::string epoch;
};
std::ostream& operator<<(std::ostream& out, Moment const& moment) {
    return out << moment.cell;
}

Moment const moments[] = {
    {"2024-01-15 12:34:56.789000", R"("2024-01-15T12:34:56.789Z")", R"("1705322096789")"},
    {"2024-01-15 12:34:56.999999", R"("2024-01-15T12:34:56.999Z")", R"("1705322096999")"},
    {"2024-02-29 23:59:59", R"("2024-02-29T23:59:59.000Z")", R"("1709251199000")"},
    {"1970-01-01 00:00:00.1", R"("1970-01-01T00:00:00.100Z")", R"("100")"},
    {"1969-12-31 23:59:59.999500", R"("1969-12-31T23:59:59.999Z")", R"("-1")"},
    {"1000-01-01 00:00:00.000000", R"("1000-01-01T00:00:00.000Z")", R"("-30610224000000")"},
    {"9999-12-31 23:59:59.999000", R"("9999-12-31T23:59:59.999Z")", R"("253402300799999")"},
};
BOOST_DATA_TEST_CASE(an_instant_is_cut_to_milliseconds, moments) {
    BOOST_TEST(scalar(AttributeType::datetime, sample.cell) == sample.iso);
    BOOST_TEST(scalar(AttributeType::timestamp, sample.cell) == sample.epoch);
}

// V8's Date makes this of them.
Moment const guesses[] = {
    {"0001-01-01 00:00:00.000000", R"("2001-01-01T00:00:00.000Z")", R"("978307200000")"},
    {"0012-01-02 00:00:00.000000", R"("2002-12-01T00:00:00.000Z")", R"("1038700800000")"},
    {"0013-01-02 00:00:00.000000", "null", "null"},
    {"0032-01-01 00:00:00.000000", R"("2032-01-01T00:00:00.000Z")", R"("1956528000000")"},
    {"0050-01-01 00:00:00.000000", R"("1950-01-01T00:00:00.000Z")", R"("-631152000000")"},
    {"0099-01-01 00:00:00.000000", R"("1999-01-01T00:00:00.000Z")", R"("915148800000")"},
    {"0100-01-01 00:00:00.000000", R"("0100-01-01T00:00:00.000Z")", R"("-59011459200000")"},
    {"0000-01-01 00:00:00.000000", R"("2000-01-01T00:00:00.000Z")", R"("946684800000")"},
    {"2023-04-31 01:02:03.000000", R"("2023-05-01T01:02:03.000Z")", R"("1682902923000")"},
    {"0000-00-00 00:00:00.000000", "null", "null"},
    {"2024-00-10 00:00:00.000000", "null", "null"},
    {"2024-01-00 00:00:00.000000", "null", "null"},
};
BOOST_DATA_TEST_CASE(a_date_that_javascript_would_guess_at_is_guessed_likewise, guesses) {
    BOOST_TEST(scalar(AttributeType::datetime, sample.cell) == sample.iso);
    BOOST_TEST(scalar(AttributeType::timestamp, sample.cell) == sample.epoch);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(time_zone)

namespace {

// The zone belongs to the whole process, so it goes back to what the other tests expect.
struct InParis {
    InParis() { BOOST_REQUIRE(db::set_time_zone("Europe/Paris")); }
    ~InParis() {
        db::set_time_zone("Etc/UTC");
        db::set_time_zone("UTC");
    }
};

std::string answered(std::string_view cell) {
    db::Attribute attribute;
    attribute.type = db::AttributeType::datetime;
    std::string out;
    fcgi::append_scalar(out, attribute, cell);
    return out;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_column_holds_the_clock_on_the_wall_of_the_cms, InParis) {
    BOOST_TEST(answered("2024-02-03 04:05:06.789000") == "\"2024-02-03T03:05:06.789Z\"");
    BOOST_TEST(answered("2024-07-03 00:30:00.000000") == "\"2024-07-02T22:30:00.000Z\"");
    BOOST_TEST(answered("1969-12-31 23:59:59.999000") == "\"1969-12-31T22:59:59.999Z\"");
}

BOOST_FIXTURE_TEST_CASE(a_filter_compares_with_the_clock_on_the_wall_of_the_cms, InParis) {
    BOOST_TEST(db::cast_datetime("2024-07-02T22:30:00Z").value() == "2024-07-03 00:30:00.000");
    BOOST_TEST(db::cast_datetime("2024-07-03T00:30:00").value() == "2024-07-03 00:30:00.000");
}

// As mysql2 writes `timezone`: the wall of the CMS is so far ahead of UTC.
BOOST_AUTO_TEST_CASE(a_zone_may_be_an_offset) {
    struct {
        char const* zone;
        char const* time; // of 04:05 there, in UTC
    } const cases[] = {
        {"+05:30", "\"2024-02-02T22:35:06.789Z\""}, {"-03:30", "\"2024-02-03T07:35:06.789Z\""},
        {"+0200", "\"2024-02-03T02:05:06.789Z\""},  {"+02", "\"2024-02-03T02:05:06.789Z\""},
        {"-00:30", "\"2024-02-03T04:35:06.789Z\""},
    };
    for (auto const& [zone, time] : cases) {
        BOOST_TEST_REQUIRE(db::set_time_zone(zone), zone);
        BOOST_TEST(answered("2024-02-03 04:05:06.789000") == time, zone);
    }
    for (auto const* wrong : {"+2", "+02:60", "05:30", "+05:30:00", "+99:00"})
        BOOST_TEST(!db::set_time_zone(wrong), wrong);
    db::set_time_zone("Etc/UTC");
    db::set_time_zone("UTC");
}

BOOST_AUTO_TEST_CASE(a_zone_that_the_system_does_not_know_is_refused) {
    BOOST_TEST(!db::set_time_zone("Atlantis/Capital"));
    BOOST_TEST(!db::set_time_zone("../../../etc/passwd"));
    BOOST_TEST(!db::set_time_zone(""));
    db::set_time_zone("UTC");
}

BOOST_AUTO_TEST_SUITE_END()
