#include "db/content/value.hpp"

#include "db/content/json_text.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(value)

namespace {

boost::json::value parsed(std::string const& text) {
    boost::json::error_code error;
    auto value = db::parse_line(text, error);
    BOOST_TEST_REQUIRE(!error, text);
    return value;
}

struct Case {
    char const* declared; // the attribute in a schema file
    std::string value;    // JSON
    char const* expected;
};

template<class Of>
void check_each(std::initializer_list<Case> cases, Of of) {
    for (auto const& [declared, value, expected] : cases)
        BOOST_TEST_CONTEXT(declared << " " << value.substr(0, 60)) {
            TemporaryProject project;
            project.type("post", "\"a\": " + std::string(declared));
            auto const schema = db::load_schema(project.folder());
            BOOST_TEST_REQUIRE(schema.has_value(), schema.error().message);
            BOOST_TEST(of(*(*schema)->find("api::post.post")->find("a"), parsed(value)) ==
                       expected);
        }
}

// The literal, or what was expected instead.
std::string literal(db::Attribute const& attribute, boost::json::value const& value) {
    db::SqlText sql;
    auto const expected = db::append_value(sql, attribute, value);
    BOOST_TEST(expected.empty() != sql.empty()); // what is refused leaves nothing behind
    return expected.empty() ? db::readable(sql.str()) : "expected " + expected;
}

std::string text_of(std::size_t characters) {
    std::string text = "\"";
    for (std::size_t i = 0; i < characters; ++i)
        text += "é";
    return text + '"';
}

constexpr auto string = R"({"type": "string"})";
constexpr auto integer = R"({"type": "integer"})";
constexpr auto biginteger = R"({"type": "biginteger"})";
constexpr auto decimal = R"({"type": "decimal"})";
constexpr auto floating = R"({"type": "float"})";
constexpr auto boolean = R"({"type": "boolean"})";
constexpr auto date = R"({"type": "date"})";
constexpr auto time_of_day = R"({"type": "time"})";
constexpr auto datetime = R"({"type": "datetime"})";
constexpr auto timestamp = R"({"type": "timestamp"})";
constexpr auto json = R"({"type": "json"})";

} // namespace

BOOST_AUTO_TEST_CASE(null_is_good_for_every_type) {
    for (auto const* const declared : {string, integer, biginteger, decimal, floating, boolean,
                                       date, time_of_day, datetime, timestamp, json})
        check_each({{declared, "null", "NULL"}}, literal);
}

BOOST_AUTO_TEST_CASE(a_text_is_as_long_as_its_column_in_characters) {
    auto const longest = text_of(255);
    check_each(
        {
            {string, R"("it's é")", R"('it''s é')"},
            {string, R"("")", "''"},
            {string, longest, ('\'' + longest.substr(1, longest.size() - 2) + '\'').c_str()},
            {string, text_of(256), "expected at most 255 characters"},
            {string, "7", "expected a text"},
            {R"({"type": "text"})", R"("a")", "'a'"},
        },
        literal);
}

BOOST_AUTO_TEST_CASE(a_number_is_one_that_the_column_holds_exactly) {
    constexpr auto not_an_integer = "expected a whole number from -2147483648 to 2147483647";
    constexpr auto not_a_biginteger =
        "expected a whole number from -9223372036854775808 to 9223372036854775807";
    constexpr auto not_a_decimal =
        "expected a number of at most 8 digits before and 2 after the point";
    check_each(
        {
            {integer, "-2147483648", "-2147483648"},
            {integer, "2147483647", "2147483647"},
            {integer, "2147483648", not_an_integer},
            {integer, "3.0", "3"},
            {integer, "3.5", not_an_integer},
            {integer, R"("3")", not_an_integer},
            {biginteger, "9223372036854775807", "9223372036854775807"},
            {biginteger, R"("-9223372036854775808")", "-9223372036854775808"},
            {biginteger, "9223372036854775808", not_a_biginteger},
            {biginteger, "9007199254740993.0", not_a_biginteger}, // a double may be another one
            {biginteger, R"("12x")", not_a_biginteger},
            {decimal, "99999999.99", "99999999.99"},
            {decimal, "-0.5", "-0.5"},
            {decimal, "0.001", not_a_decimal},
            {decimal, "100000000", not_a_decimal},
            {decimal, "1e21", not_a_decimal},
            {floating, "0.1", "0.1"},
            {floating, "1e300", "1e+300"},
            {floating, R"("1")", "expected a number"},
            {boolean, "true", "1"},
            {boolean, "0", "expected true or false"},
        },
        literal);
}

BOOST_AUTO_TEST_CASE(a_time_is_a_whole_one_that_the_column_holds) {
    constexpr auto not_a_date = "expected a date, YYYY-MM-DD";
    constexpr auto not_a_time = "expected a time, HH:MM, HH:MM:SS or HH:MM:SS.mmm";
    constexpr auto not_a_datetime = "expected a date and time, YYYY-MM-DDTHH:MM:SS.mmmZ";
    constexpr auto not_a_timestamp =
        "expected a time from 1970-01-01T00:00:01Z to 2038-01-19T03:14:07Z";
    check_each(
        {
            {date, R"("2024-02-29")", "'2024-02-29'"},
            {date, R"("2024-13-01")", not_a_date},
            {date, R"("2024-05-17T00:00")", not_a_date},
            {date, "20240517", not_a_date},
            {time_of_day, R"("08:30")", "'08:30:00.000'"},
            {time_of_day, R"("08:30:15.25")", "'08:30:15.250'"},
            {time_of_day, R"("-838:59:59")", "'-838:59:59.000'"},
            {time_of_day, R"("838:59:59.001")", not_a_time},
            {time_of_day, R"("839:00:00")", not_a_time},
            {time_of_day, R"("8:30")", not_a_time},
            {time_of_day, R"("08:60")", not_a_time},
            {datetime, R"("2024-05-17T08:30:00.000Z")", "'2024-05-17 08:30:00.000'"},
            {datetime, R"("2024-05-17T08:30:00+02:00")", "'2024-05-17 06:30:00.000'"},
            {datetime, R"("2024-05-17")", "'2024-05-17 00:00:00.000'"},
            {datetime, R"("2024-05")", not_a_datetime},
            {datetime, R"("0000-01-01T00:00:00Z")", not_a_datetime},
            {datetime, "1715934600000", not_a_datetime},
            {timestamp, "1715934600000", "'2024-05-17 08:30:00.000'"},
            {timestamp, R"("1715934600000")", "'2024-05-17 08:30:00.000'"},
            {timestamp, "1000", "'1970-01-01 00:00:01.000'"},
            {timestamp, "999", not_a_timestamp},
            {timestamp, R"("2038-01-19T03:14:08Z")", not_a_timestamp},
            {timestamp, "-1", not_a_timestamp},
        },
        literal);
}

BOOST_AUTO_TEST_CASE(json_is_stored_as_javascript_writes_it) {
    check_each(
        {
            {json, R"({"b": 1.0, "a": [true, null, "é"]})", R"('{"b":1,"a":[true,null,"é"]}')"},
            {json, R"("\n")", "_utf8mb4 x'225C6E22'"}, // quotes, a backslash and the letter
            {json, R"("a text")", R"('"a text"')"},
            {json, "1e21", "'1e+21'"},
            {json, "[]", "'[]'"},
        },
        literal);
}

BOOST_AUTO_TEST_CASE(a_text_has_the_form_of_its_type) {
    constexpr auto enumeration = R"({"type": "enumeration", "enum": ["one", "two"]})";
    constexpr auto password = R"({"type": "password"})";
    constexpr auto uid = R"({"type": "uid"})";
    constexpr auto email = R"({"type": "email"})";
    constexpr auto not_a_password = "a bcrypt hash of the password";
    constexpr auto not_a_uid = "letters, digits and -_.~ only";
    constexpr auto not_an_email = "an e-mail address";
    constexpr auto not_a_time = "a time, HH:MM, HH:MM:SS or HH:MM:SS.mmm";
    auto const hash = R"("$2a$10$)" + std::string(53, 'x') + '"';
    check_each(
        {
            {enumeration, R"("two")", ""},
            {enumeration, R"("three")", "one of one, two"},
            {enumeration, R"("")", "one of one, two"},
            {enumeration, "3", ""}, // no text: append_value refuses it
            {password, hash, ""},
            {password, R"("secret")", not_a_password},
            {password, hash.substr(0, 60) + '"', not_a_password},
            {uid, R"("a-B_1.~")", ""},
            {uid, R"("a b")", not_a_uid},
            {uid, R"("é")", not_a_uid},
            {email, R"("a@b")", ""},
            {email, R"("")", ""},
            {email, R"("@b")", not_an_email},
            {email, R"("a@")", not_an_email},
            {email, R"("a b@c")", not_an_email},
            {time_of_day, R"("23:59")", ""},
            {time_of_day, R"("24:00")", not_a_time}, // though the column has it
            {string, R"("anything at all")", ""},
        },
        db::expected_form);
}

BOOST_AUTO_TEST_SUITE_END()
