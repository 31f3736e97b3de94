#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Reads and prints numbers and strings as JavaScript (ECMAScript 2023) does. Strapi is written in
// it, so this decides which parameters are numbers and how columns and stored JSON are printed.

namespace parser {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Removes white space and line ends from both ends.
std::string_view trimmed(std::string_view text);

// Does what Number(text) does: it ignores white space around the text, reads an empty text as 0,
// and takes a decimal with or without an exponent, Infinity, or digits after 0x, 0o, 0b. A number
// out of range becomes infinite or 0. Anything else (NaN) gives nullopt.
std::optional<double> javascript_number(std::string_view text);

// Appends String(number): the fewest digits that read back as the same double, without exponent for
// 1e-6 <= |x| < 1e21, else with one (1e+21, 1e-7). -0 is 0. A number that is not finite becomes
// NaN, Infinity or -Infinity: JSON has null for these, which the caller has to write.
void append_number(std::string& out, double number);

// Returns the end of the number that stands at `at`, if append_number() would print it just so:
// without exponent and with at most 15 digits. Returns `at` if it would not, or if that takes a
// closer look.
char const* end_of_printed(char const* at, char const* end);

// Appends javascript_number(text), or 0 if the text is no number, as append_number() does. It is
// made for columns of numbers, most of which are copied digit by digit.
void append_number_of(std::string& out, std::string_view text);

// Returns the index that a property name stands for ("0", "17"; not "01"), at most 2^32 - 2.
// JavaScript walks properties of this kind first, ascending, in whatever order they were added.
std::optional<std::uint32_t> array_index(std::string_view name);

// Appends a JSON string, escaped as JSON.stringify does: the quote, the backslash and control
// characters (\b \t \n \f \r, else \u00xx) and nothing more. `utf8` is not checked.
void append_json_string(std::string& out, std::string_view utf8);

// Appends the same without the quotes around it.
void append_json_escaped(std::string& out, std::string_view utf8);

// Returns the first byte of [at, end) that JSON.stringify escapes, or `end`.
char const* find_json_escape(char const* at, char const* end);

} // namespace parser
