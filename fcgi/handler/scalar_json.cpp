#include "fcgi/handler/scalar_json.hpp"

#include "db/plan/time_zone.hpp"
#include "parser/base/javascript.hpp"

#include <chrono>
#include <optional>

namespace fcgi {

namespace {

using db::AttributeType;
using db::Instant;
using db::ScalarClass;

constexpr std::string_view null = "null";

template<std::size_t digits>
unsigned read_digits(char const* text) {
    unsigned number = 0;
    for (std::size_t i = 0; i < digits; ++i)
        number = number * 10 + static_cast<unsigned>(text[i] - '0');
    return number;
}

template<std::size_t digits>
void write_digits(char* text, unsigned number) {
    for (std::size_t i = digits; i-- > 0; number /= 10)
        text[i] = static_cast<char>('0' + number % 10);
}

// Reads `YYYY-MM-DD HH:MM:SS[.ffffff]`, cut to milliseconds. Strapi leaves this to JavaScript's
// Date, which does not know the format and guesses: a first number that could be a day makes it
// month-day-year, and a year below 100 means one around the year 2000. Zero dates have no instant.
std::optional<Instant> instant(std::string_view cell) {
    char text[] = "0000-00-00 00:00:00.000";
    cell.copy(text, sizeof text - 1);
    unsigned year = read_digits<4>(text);
    unsigned month = read_digits<2>(text + 5);
    unsigned day = read_digits<2>(text + 8);
    if (year >= 1 && year <= 31) {
        unsigned const first = year;
        year = day;
        day = month;
        month = first;
    }
    if (year < 100) year += year < 50 ? 2000 : 1900;
    if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;

    using namespace std::chrono;
    local_days const first_of_month(std::chrono::year(static_cast<int>(year)) /
                                    static_cast<int>(month) / 1);
    return db::instant_of(first_of_month + days(day - 1) + hours(read_digits<2>(text + 11)) +
                          minutes(read_digits<2>(text + 14)) + seconds(read_digits<2>(text + 17)) +
                          std::chrono::milliseconds(read_digits<3>(text + 20)));
}

// Appends "2024-02-03T04:05:06.789Z", with its quotes.
void append_iso(std::string& out, Instant when) {
    auto const day = std::chrono::floor<std::chrono::days>(when);
    std::chrono::year_month_day const date(day);
    std::chrono::hh_mm_ss const time(when - day);
    char text[] = "\"0000-00-00T00:00:00.000Z\"";
    write_digits<4>(text + 1, static_cast<unsigned>(static_cast<int>(date.year())));
    write_digits<2>(text + 6, static_cast<unsigned>(date.month()));
    write_digits<2>(text + 9, static_cast<unsigned>(date.day()));
    write_digits<2>(text + 12, static_cast<unsigned>(time.hours().count()));
    write_digits<2>(text + 15, static_cast<unsigned>(time.minutes().count()));
    write_digits<2>(text + 18, static_cast<unsigned>(time.seconds().count()));
    write_digits<3>(text + 21, static_cast<unsigned>(time.subseconds().count()));
    out.append(text, sizeof text - 1);
}

// Returns whether a datetime has the text of the instant already: nothing has to be guessed, and no
// day carried into the next month.
bool is_plain(std::string_view cell) {
    return db::wall_is_utc() && cell.size() >= sizeof "0000-00-00 00:00:00" - 1 && cell[0] != '0' &&
           cell[8] <= '2' && read_digits<2>(&cell[8]) - 1 < 28 && read_digits<2>(&cell[5]) - 1 < 12;
}

// Does the same as append_iso() for a cell that is_plain().
void append_plain_iso(std::string& out, std::string_view cell) {
    char text[] = "\"0000-00-00T00:00:00.000Z\"";
    cell.copy(text + 1, 10);
    cell.substr(11).copy(text + 12, 12);
    out.append(text, sizeof text - 1);
}

// Appends "1706933106789", with its quotes.
void append_epoch(std::string& out, Instant when) {
    out.append("\"").append(std::to_string(when.time_since_epoch().count())).append("\"");
}

// Strapi's driver reads a TINYINT(1) as a boolean, of which only 1 is true. Of other columns Strapi
// knows 1 and 0.
std::string_view boolean(bool is_tinyint, std::string_view cell) {
    if (cell == "1") return "true";
    return is_tinyint || cell == "0" ? "false" : null;
}

} // namespace

void append_scalar(std::string& out, db::Attribute const& attribute, std::string_view cell) {
    if (cell.data() == nullptr) {
        out += null;
        return;
    }
    auto const scalar = attribute.scalar();
    switch (scalar) {
    case ScalarClass::none:
    case ScalarClass::text:
    case ScalarClass::date:
    case ScalarClass::time:
        parser::append_json_string(out, cell);
        return;
    case ScalarClass::integer:
        out += cell;
        return;
    case ScalarClass::biginteger:
        out.append("\"").append(cell).append("\"");
        return;
    case ScalarClass::number:
        parser::append_number_of(out, cell);
        return;
    case ScalarClass::boolean:
        out += boolean(attribute.is_tinyint, cell);
        return;
    case ScalarClass::datetime:
        if (is_plain(cell)) return append_plain_iso(out, cell);
        [[fallthrough]];
    case ScalarClass::timestamp:
        if (auto const when = instant(cell); !when)
            out += null;
        else if (scalar == ScalarClass::datetime)
            append_iso(out, *when);
        else
            append_epoch(out, *when);
        return;
    case ScalarClass::json:
        append_stored_json(out, cell);
        return;
    }
}

} // namespace fcgi
