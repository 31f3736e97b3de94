#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers as JavaScript (ECMAScript 2023) reads and prints them. The reference is written in it, so
// this decides which parameters are numbers and how columns and stored JSON come out.

namespace parser {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Number(text): white space around is ignored, nothing is 0, then a decimal with or without an
// exponent, Infinity, or digits after 0x, 0o, 0b. Out of range is infinite or 0. Anything else
// (NaN) is nullopt.
std::optional<double> javascript_number(std::string_view text);

// String(number): the fewest digits that read back as the same double, written out for
// 1e-6 <= |x| < 1e21, else with an exponent (1e+21, 1e-7). -0 is 0. What is not finite becomes
// NaN, Infinity or -Infinity: JSON has null for these, which is the caller's to write.
void append_number(std::string& out, double number);

// The end of the number that stands at the beginning, if append_number() would write just that:
// without exponent and of at most 15 digits. `at`: it would not, or that takes a closer look.
char const* end_of_printed(char const* at, char const* end);

// append_number() of javascript_number(text), or of 0 where that is none: a column of numbers, most
// of which are copied digit by digit.
void append_number_of(std::string& out, std::string_view text);

// The index that a property name stands for ("0", "17"; not "01"), at most 2^32 - 2. An object's
// properties of this kind come first, ascending, whatever the order they were added in.
std::optional<std::uint32_t> array_index(std::string_view name);

} // namespace parser
