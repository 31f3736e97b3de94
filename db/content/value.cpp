#include "db/content/value.hpp"

#include "db/content/json_text.hpp"
#include "db/plan/cast.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace db {

namespace {

namespace json = boost::json;
using Kind = ColumnType::SqlType;

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(std::ranges::count_if(
        utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string check_length(ColumnType const& column, std::string_view text) {
    if (column.kind == Kind::varchar && characters(text) > column.size)
        return "at most " + std::to_string(column.size) + " characters";
    if (column.kind == Kind::text && text.size() > 0xFFFF) return "at most 65,535 bytes";
    if (column.kind == Kind::mediumtext && text.size() > 0xFF'FFFF)
        return "at most 16,777,215 bytes";
    return {};
}

bool is_bcrypt_hash(std::string_view text) {
    return text.size() == 60 && text.starts_with("$2") && text[3] == '$' && text[6] == '$';
}

bool is_uid(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_.~").find(c) != std::string_view::npos;
    });
}

bool is_email(std::string_view text) {
    auto const at = text.find('@');
    return at != 0 && at != std::string_view::npos && at + 1 < text.size() &&
           text.find_first_of(" \t\r\n") == std::string_view::npos;
}

std::string one_of(std::vector<std::string> const& values) {
    std::string text = "one of ";
    for (auto const& value : values)
        text.append(text.size() > 7 ? ", " : "").append(value);
    return text;
}

std::string append_text(SqlText& sql, Attribute const& attribute, std::string_view text) {
    if (auto problem = check_length(attribute.column_type, text); !problem.empty()) return problem;
    sql.text(text);
    return {};
}

std::optional<std::int64_t> integer_of(json::value const& value) {
    if (auto const* integer = value.if_int64()) return *integer;
    auto const* number = value.if_double(); // 3.0
    if (number && std::abs(*number) <= 9'007'199'254'740'991.0 && std::trunc(*number) == *number)
        return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

std::optional<std::int64_t> integer_text(json::value const& value) {
    auto const* text = value.if_string();
    if (!text) return integer_of(value);
    std::int64_t integer = 0;
    auto const* const end = text->data() + text->size();
    auto const [read, error] = std::from_chars(text->data(), end, integer);
    if (error != std::errc() || read != end) return std::nullopt;
    return integer;
}

std::string append_integer(SqlText& sql, ColumnType const& column, json::value const& value) {
    bool const is_big = column.kind == Kind::biginteger;
    auto const integer = is_big ? integer_text(value) : integer_of(value);
    std::int64_t low = is_big ? std::numeric_limits<std::int64_t>::min() : -2'147'483'648;
    std::int64_t high = is_big ? std::numeric_limits<std::int64_t>::max() : 2'147'483'647;
    if (column.is_unsigned) {
        low = 0;
        if (!is_big) high = 4'294'967'295;
    }
    if (!integer || *integer < low || *integer > high)
        return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    sql.integer(*integer);
    return {};
}

// Returns whether a decimal column keeps all digits of the number, written as JavaScript does.
bool fits(std::string digits, ColumnType const& column) {
    if (digits.find('e') != std::string::npos) return false;
    if (digits.front() == '-') digits.erase(0, 1);
    auto const point = std::min(digits.find('.'), digits.size());
    auto const behind = point == digits.size() ? 0 : digits.size() - point - 1;
    auto const before = digits == "0" || digits.starts_with("0.") ? 0 : point;
    return behind <= column.scale && before + column.scale <= column.size;
}

std::string append_number(SqlText& sql, ColumnType const& column, json::value const& value) {
    double const number = value.is_number() ? value.to_number<double>() : std::nan("");
    bool const is_good = std::isfinite(number) && (number >= 0 || !column.is_unsigned);
    if (column.kind == Kind::decimal) {
        std::string digits;
        parser::append_number(digits, number);
        if (!is_good || !fits(digits, column))
            return "a number of at most " + std::to_string(column.size - column.scale) +
                   " digits before and " + std::to_string(column.scale) + " after the point";
    } else if (!is_good) {
        return column.is_unsigned ? "a number that is not negative" : "a number";
    }
    sql.number(number);
    return {};
}

std::string append_date(SqlText& sql, std::string_view text) {
    auto const date = cast_date(text);
    if (!date || text.size() != 10) return "a date, YYYY-MM-DD";
    sql.text(*date);
    return {};
}

// Reads `[-]HHH:MM:SS[.mmm]`, which is what a TIME column holds.
std::optional<std::string> time_of_column(std::string_view text) {
    static constexpr std::string_view latest = "838:59:59";
    auto const sign = text.starts_with('-') ? 1U : 0U;
    auto const hours = text.find(':', sign);
    if (hours == text.npos || hours - sign < 2 || hours - sign > 3) return std::nullopt;
    auto const within_hour = cast_time("00" + std::string(text.substr(hours)));
    bool const are_digits = std::ranges::all_of(text.substr(sign, hours - sign),
                                                [](char c) { return c >= '0' && c <= '9'; });
    bool const is_long = hours - sign == 3;
    if (!within_hour || !are_digits ||
        (is_long && text.substr(sign) > std::string(latest) + ".000"))
        return std::nullopt;
    return std::string(text.substr(0, hours)) + within_hour->substr(2);
}

constexpr char const* time_form = "a time, HH:MM, HH:MM:SS or HH:MM:SS.mmm";

// Seconds and milliseconds may be left out.
bool is_plain_time(std::string_view text) {
    auto const hours = text.find(':');
    auto const size = hours == text.npos ? 0 : text.size() - hours + 2; // with hours of two digits
    return size == 5 || size == 8 || (size > 9 && size <= 12 && text[hours + 6] == '.');
}

std::string append_time(SqlText& sql, std::string_view text) {
    auto const time = time_of_column(std::string(text) + (text.size() == 5 ? ":00" : ""));
    if (!time || !is_plain_time(text)) return time_form;
    sql.text(*time);
    return {};
}

// Takes milliseconds since 1970.
std::string iso_time(std::int64_t milliseconds) {
    using namespace std::chrono;
    sys_time<std::chrono::milliseconds> const time{std::chrono::milliseconds(milliseconds)};
    auto const day = floor<days>(time);
    year_month_day const date(day);
    hh_mm_ss const clock(time - day);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()),
                  static_cast<int>(clock.subseconds().count()));
    return text.data();
}

std::string append_datetime(SqlText& sql, ScalarClass scalar, json::value const& value) {
    bool const is_timestamp = scalar == ScalarClass::timestamp;
    std::string text;
    if (auto const* string = value.if_string()) text = *string;
    auto const milliseconds = is_timestamp ? integer_text(value) : std::nullopt;
    constexpr std::int64_t most = 4'294'967'296'000; // more than any column holds
    if (milliseconds)
        text = *milliseconds >= 0 && *milliseconds < most ? iso_time(*milliseconds)
                                                          : std::to_string(*milliseconds);
    auto const time = cast_datetime(text);
    // Shorter texts, `2024` or `2024-05`, are more likely to be errors.
    bool const is_full = milliseconds || (text.size() >= 10 && text[4] == '-' && text[7] == '-');
    if (!time || !is_full || time->size() != 23 || time->starts_with("0000"))
        return "a date and time, YYYY-MM-DDTHH:MM:SS.mmmZ";
    if (is_timestamp && (*time < "1970-01-01 00:00:01" || *time >= "2038-01-19 03:14:08"))
        return "a time from 1970-01-01T00:00:01Z to 2038-01-19T03:14:07Z";
    sql.text(*time);
    return {};
}

std::string append_json(SqlText& sql, json::value const& value) {
    auto const text = stringify(value);
    if (!text) return "numbers of at most 1.8e308";
    sql.text(*text);
    return {};
}

} // namespace

std::string expected_form(Attribute const& attribute, json::value const& value) {
    auto const* string = value.if_string();
    if (!string) return {};
    std::string_view const text = *string;
    if (attribute.type == AttributeType::enumeration &&
        std::ranges::find(attribute.values, text) == attribute.values.end())
        return one_of(attribute.values);
    if (attribute.type == AttributeType::password && !is_bcrypt_hash(text))
        return "a bcrypt hash of the password";
    if (attribute.type == AttributeType::uid && !is_uid(text))
        return "letters, digits and -_.~ only";
    if (attribute.type == AttributeType::email && !text.empty() && !is_email(text))
        return "an e-mail address";
    bool const is_within_day =
        cast_time(std::string(text) + (text.size() == 5 ? ":00" : "")).has_value();
    if (attribute.type == AttributeType::time && !is_within_day) return time_form;
    return {};
}

std::string append_value(SqlText& sql, Attribute const& attribute, json::value const& value) {
    if (value.is_null()) {
        sql << "NULL";
        return {};
    }
    auto const* string = value.if_string();
    std::string_view const text = string ? std::string_view(*string) : std::string_view();
    auto const scalar = attribute.scalar();
    switch (scalar) {
    case ScalarClass::none: // has no column
    case ScalarClass::text:
        if (!string) return "a text";
        return append_text(sql, attribute, text);
    case ScalarClass::integer:
    case ScalarClass::biginteger:
        return append_integer(sql, attribute.column_type, value);
    case ScalarClass::number:
        return append_number(sql, attribute.column_type, value);
    case ScalarClass::boolean:
        if (!value.is_bool()) return "true or false";
        sql.integer(std::int64_t{value.get_bool()});
        return {};
    case ScalarClass::date:
        return append_date(sql, text);
    case ScalarClass::time:
        return append_time(sql, text);
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
        return append_datetime(sql, scalar, value);
    case ScalarClass::json:
        return append_json(sql, value);
    }
    return {};
}

} // namespace db
