#include "db/plan/cast.hpp"

#include "db/plan/time_zone.hpp"
#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace db {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::sys_days;
using WholeMilliseconds = std::chrono::milliseconds;
// date-fns computes in JavaScript's numbers and drops the fraction of a millisecond last.
using Milliseconds = std::chrono::duration<double, std::milli>;

// The characters that `.` of a JavaScript pattern doesn't match.
constexpr std::array<std::string_view, 4> line_ends = {"\n", "\r", "\u2028", "\u2029"};

parser::Error refused(std::string message) {
    return {parser::ErrorKind::invalid, std::move(message)};
}

bool skip(std::string_view& text, char c) {
    bool const found = text.starts_with(c);
    text.remove_prefix(found ? 1 : 0);
    return found;
}

// Removes exactly `count` digits from the front of `text`, and returns their number.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t count) {
    auto const digits = text.substr(0, count);
    if (digits.size() < count || !std::ranges::all_of(digits, parser::is_digit))
        return std::nullopt;
    unsigned number = 0;
    std::from_chars(digits.data(), digits.data() + count, number);
    text.remove_prefix(count);
    return number;
}

std::optional<unsigned> take_after(char separator, std::string_view& text, std::size_t count) {
    return skip(text, separator) ? take_digits(text, count) : std::nullopt;
}

// Takes a unit, or 1 if the text ends before it; `-` in front of it is optional.
std::optional<unsigned> take_unit_or_1(std::string_view& text, std::size_t count) {
    if (text.empty()) return 1;
    skip(text, '-');
    return take_digits(text, count);
}

// Takes `YYYY`, or a sign and six digits; or a century, two digits less, if nothing follows.
std::optional<int> take_year(std::string_view& text) {
    bool const negative = text.starts_with('-');
    bool const has_sign = skip(text, '+') || skip(text, '-');
    std::size_t const width = has_sign ? 6 : 4;
    bool const century = text.size() == width - 2;
    auto const number = take_digits(text, century ? width - 2 : width);
    if (!number) return std::nullopt;
    int const year = static_cast<int>(*number) * (century ? 100 : 1);
    return negative ? -year : year;
}

// Reads what follows the year: nothing, `MM`, `MM-DD`, `DDD`, `Www` or `Www-D`, all dashes
// optional. As in date-fns a lone dash is nothing, and every year has a week 53.
std::optional<sys_days> read_day_of(std::chrono::year year, std::string_view text) {
    using namespace std::chrono;
    skip(text, '-');
    if (skip(text, 'W')) {
        auto const week = take_digits(text, 2);
        auto const day = take_unit_or_1(text, 1);
        if (!week || !day || !text.empty()) return std::nullopt;
        if (*week < 1 || *week > 53 || *day < 1 || *day > 7) return std::nullopt;
        sys_days const in_week_1 = year / January / 4;
        return in_week_1 - (weekday(in_week_1) - Monday) + weeks(*week - 1) + days(*day - 1);
    }
    if (text.size() == 3) {
        auto const day = take_digits(text, 3);
        if (!day || *day < 1 || *day > (year.is_leap() ? 366 : 365)) return std::nullopt;
        return sys_days(year / January / 1) + days(*day - 1);
    }
    auto const month_number = text.empty() ? 1 : take_digits(text, 2);
    auto const day_number = take_unit_or_1(text, 2);
    if (!month_number || !day_number || !text.empty()) return std::nullopt;
    year_month_day const date = year / month(*month_number) / day(*day_number);
    return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
}

std::optional<sys_days> read_day(std::string_view text) {
    auto const year = take_year(text);
    if (!year) return std::nullopt;
    // The years of std::chrono end at 32767. The calendar repeats every 400 years, so the day is
    // found in years 0 to 399; a million keeps the division away from negative numbers.
    constexpr int shift = 1'000'000;
    constexpr int cycle = 400;
    auto day = read_day_of(std::chrono::year((*year + shift) % cycle), text);
    if (day) *day += days(146'097) * ((*year + shift) / cycle - shift / cycle);
    return day;
}

// Reads `HH`, `HHmm`, `HH:mm:ss` and the like: one to three units of two digits, any of which may
// have a fraction. A fraction has as many digits as leave the rest readable: 10.5030.5 is 10.50 and
// 30.5.
bool read_units(std::string_view text, std::span<double> units) {
    std::string_view rest = text;
    if (units.empty() || !take_digits(rest, 2)) return false;
    if (skip(rest, '.') || skip(rest, ','))
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
    for (std::size_t end = text.size() - rest.size(); end >= 2; --end) {
        rest = text.substr(end);
        bool const last = rest.empty();
        skip(rest, ':');
        if (last || read_units(rest, units.subspan(1))) {
            std::string unit(text.substr(0, end));
            std::ranges::replace(unit, ',', '.');
            units[0] = parser::javascript_number(unit).value_or(0);
            return true;
        }
    }
    return false;
}

// Returns the time since midnight. 24:00 is the next midnight; date-fns also accepts 24.5, as half
// an hour later.
std::optional<Milliseconds> read_time(std::string_view text) {
    if (text.empty()) return Milliseconds::zero();
    std::array<double, 3> units = {};
    if (!read_units(text, units)) return std::nullopt;
    auto const [hours, minutes, seconds] = units;
    if (hours >= 25 || minutes >= 60 || seconds >= 60) return std::nullopt;
    if (hours == 24 && (minutes > 0 || seconds > 0)) return std::nullopt;
    return hours * Milliseconds(1h) + minutes * Milliseconds(1min) + seconds * Milliseconds(1s);
}

// Reads `±HH`, `±HHmm` or `±HH:mm`, the time ahead of UTC. date-fns takes anything else that begins
// with Z or a sign as UTC.
std::optional<std::chrono::minutes> read_offset(std::string_view text) {
    for (auto const line_end : line_ends)
        if (text.find(line_end) != text.npos) return std::nullopt;
    bool const utc = text.starts_with('Z');
    int const sign = text.starts_with('-') ? -1 : 1;
    text.remove_prefix(1);
    auto const hours = take_digits(text, 2);
    bool const short_form = text.empty();
    skip(text, ':');
    auto const minutes = short_form ? 0 : take_digits(text, 2);
    if (utc || !hours || !minutes || !text.empty()) return 0min;
    if (*minutes > 59) return std::nullopt;
    return sign * (std::chrono::hours(*hours) + std::chrono::minutes(*minutes));
}

// Returns what a JavaScript Date holds: whole milliseconds, at most 100,000,000 days from 1970.
std::optional<WholeMilliseconds> date_value(Milliseconds since_1970) {
    if (std::chrono::abs(since_1970) > days(100'000'000)) return std::nullopt;
    return std::chrono::duration_cast<WholeMilliseconds>(since_1970);
}

std::optional<WallClock> read_iso(std::string_view text) {
    auto const delimiter = std::min(text.find_first_of("T "), text.size());
    std::string_view date = text.substr(0, delimiter);
    std::string_view time = text.substr(delimiter);
    if (!time.empty()) time.remove_prefix(1);
    if (date.find(':') != date.npos || time.find_first_of("T ") != time.npos) return std::nullopt;
    // A Z right behind the date is the offset of a time that was left out.
    if (auto const z = date.find('Z'); z != date.npos) {
        date = text.substr(0, z);
        time = text.substr(z);
    }
    std::string_view const offset = time.substr(std::min(time.find_first_of("Z+-"), time.size()));
    time.remove_suffix(offset.size());

    auto const day = read_day(date);
    auto const time_of_day = read_time(time);
    auto const ahead = offset.empty() ? 0min : read_offset(offset);
    if (!day || !time_of_day || !ahead) return std::nullopt;
    auto const value = date_value(day->time_since_epoch() + *time_of_day - *ahead);
    if (!value) return std::nullopt;
    // Without an offset the time is in the zone of the CMS.
    return offset.empty() ? WallClock(*value) : on_wall(Instant(*value));
}

// Reads a whole number in decimal, which only white space may follow.
std::optional<WallClock> read_milliseconds(std::string_view text) {
    std::int64_t count = 0;
    char const* const text_end = text.data() + text.size();
    auto const [end, error] = std::from_chars(text.data(), text_end, count);
    if (error != std::errc() || !parser::trimmed({end, text_end}).empty()) return std::nullopt;
    auto const value = date_value(Milliseconds(static_cast<double>(count)));
    if (!value) return std::nullopt;
    return on_wall(Instant(*value));
}

std::string padded(std::int64_t number, std::size_t width) {
    std::string text = std::to_string(number);
    return text.insert(0, width - std::min(width, text.size()), '0');
}

// Returns `YYYY-MM-DD HH:mm:ss.SSS`, or nothing if the year hasn't four digits: no column holds
// such a time and no server can compare with it. JavaScript would send it all the same; then
// MariaDB compares with the zero date, which finds the wrong rows, and MySQL 8 refuses the
// statement.
std::optional<std::string> sql_text(WallClock time) {
    using namespace std::chrono;
    auto const day = floor<days>(time);
    if (day < local_days(year(0) / 1 / 1) || day > local_days(year(9999) / 12 / 31))
        return std::nullopt;
    year_month_day const date(day);
    hh_mm_ss const clock(time - day);
    return padded(int(date.year()), 4) + '-' + padded(unsigned(date.month()), 2) + '-' +
           padded(unsigned(date.day()), 2) + ' ' + padded(clock.hours().count(), 2) + ':' +
           padded(clock.minutes().count(), 2) + ':' + padded(clock.seconds().count(), 2) + '.' +
           padded(clock.subseconds().count(), 3);
}

// Returns the first character of a text in UTF-8.
std::string_view first_character(std::string_view text) {
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
        ++size;
    return text.substr(0, size);
}

// Infinity is refused like NaN: SQL has no name for it.
parser::Result<Literal> cast_number(std::string_view text, std::string_view where) {
    auto const number = parser::javascript_number(text);
    if (!number || !std::isfinite(*number)) return parser::invalid_value(where, "a number", text);
    return Literal(*number);
}

// A filter compares with the JSON text of a string, quotes included.
std::string cast_json(std::string_view text) {
    std::string json;
    parser::append_json_string(json, text);
    return json;
}

} // namespace

parser::Result<std::string> cast_date(std::string_view text) {
    using namespace std::chrono;
    std::string_view rest = text;
    auto const y = take_digits(rest, 4);
    auto const m = take_after('-', rest, 2);
    auto const d = take_after('-', rest, 2);
    if (!y || !m || !d || !month(*m).ok() || !day(*d).ok())
        return refused("Invalid format, expected yyyy-MM-dd");
    if (!(year(static_cast<int>(*y)) / month(*m) / day(*d)).ok()) return refused("Invalid date");
    return std::string(text.substr(0, 10));
}

parser::Result<std::string> cast_time(std::string_view text) {
    auto const invalid = refused("Invalid time format, expected HH:mm:ss.SSS");
    std::string_view rest = text;
    auto const hours = take_digits(rest, 2);
    auto const minutes = take_after(':', rest, 2);
    auto const seconds = take_after(':', rest, 2);
    if (!hours || !minutes || !seconds) return invalid;
    if (*hours > 23 || *minutes > 59 || *seconds > 59) return invalid;

    std::string time(text.substr(0, 8));
    time += '.';
    if (!rest.empty()) {
        // The character is one unit of JavaScript's UTF-16; those of four bytes have two.
        std::string_view const point = first_character(rest);
        rest.remove_prefix(point.size());
        if (point.size() > 3 || std::ranges::find(line_ends, point) != line_ends.end())
            return invalid;
        if (rest.empty() || rest.size() > 3 || !std::ranges::all_of(rest, parser::is_digit))
            return invalid;
        time += rest;
    }
    time.append(12 - time.size(), '0');
    return time;
}

parser::Result<std::string> cast_datetime(std::string_view text) {
    auto time = read_iso(text);
    if (!time) time = read_milliseconds(text);
    if (time)
        if (auto sql = sql_text(*time)) return *sql;
    return refused("Invalid format, expected a timestamp or an ISO date");
}

bool cast_boolean(std::string_view text) {
    return !text.empty() && text != "false" && text != "f" && text != "0";
}

parser::Result<Literal> cast(AttributeType type, std::string_view text, std::string_view where) {
    switch (facts_of(type).scalar) {
    case ScalarClass::none:
    case ScalarClass::text:
    case ScalarClass::biginteger:
        return std::string(text);
    case ScalarClass::integer:
    case ScalarClass::number:
        return cast_number(text, where);
    case ScalarClass::boolean:
        return Literal(cast_boolean(text));
    case ScalarClass::date:
        return cast_date(text);
    case ScalarClass::time:
        return cast_time(text);
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
        return cast_datetime(text);
    case ScalarClass::json:
        return cast_json(text);
    }
    return {};
}

} // namespace db
