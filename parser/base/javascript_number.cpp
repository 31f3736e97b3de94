#include "parser/base/javascript_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace parser {

namespace {

// WhiteSpace and LineTerminator of ECMAScript, in UTF-8.
constexpr std::array<std::string_view, 25> white_space = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u00A0", "\u1680", "\u2000",
    "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
    "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF",
};

bool may_be_space(char c) {
    return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x80;
}

// Takes one white space from either end.
bool strip_one(std::string_view& text) {
    if (text.empty() || !(may_be_space(text.front()) || may_be_space(text.back()))) return false;
    for (auto const space : white_space) {
        if (text.starts_with(space)) {
            text.remove_prefix(space.size());
            return true;
        }
        if (text.ends_with(space)) {
            text.remove_suffix(space.size());
            return true;
        }
    }
    return false;
}

// Reads digits of the base 2^`bits` and rounds to the nearest double, as for any number.
std::optional<double> power_of_two_base(std::string_view digits, int bits) {
    if (digits.empty()) return std::nullopt;
    std::uint64_t leading = 0; // the first 61 to 64 bits
    int dropped = 0;           // bits after these
    bool sticky = false;       // some of them are set
    for (char const c : digits) {
        unsigned digit = 16;
        std::from_chars(&c, &c + 1, digit, 16);
        if (digit >> bits != 0) return std::nullopt;
        if (leading >> (64 - bits) == 0) {
            leading = leading << bits | digit;
        } else {
            if (dropped < 2'000) dropped += bits; // beyond that it is infinite
            sticky |= digit != 0;
        }
    }
    return std::ldexp(static_cast<double>(leading | std::uint64_t{sticky}), dropped);
}

std::optional<double> decimal(std::string_view text) {
    std::string_view digits = text;
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    bool const negative = text.starts_with('-');
    double number = std::numeric_limits<double>::infinity();
    if (digits != "Infinity") {
        // from_chars also takes a sign, "inf" and "nan", which JavaScript does not take here.
        if (digits.find_first_not_of("0123456789.eE+-") != digits.npos) return std::nullopt;
        if (digits.starts_with('-')) return std::nullopt;
        char const* const end = digits.data() + digits.size();
        auto const [stop, error] = std::from_chars(digits.data(), end, number);
        if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
        // Only strtod tells too large from too small.
        if (error == std::errc::result_out_of_range)
            number = std::strtod(std::string(digits).c_str(), nullptr);
    }
    return negative ? -number : number;
}

} // namespace

std::optional<double> javascript_number(std::string_view text) {
    while (strip_one(text)) {
    }
    if (text.empty()) return 0;
    if (text.size() > 1 && text[0] == '0') {
        switch (text[1] | 0x20) {
        case 'x':
            return power_of_two_base(text.substr(2), 4);
        case 'o':
            return power_of_two_base(text.substr(2), 3);
        case 'b':
            return power_of_two_base(text.substr(2), 1);
        default:
            break;
        }
    }
    return decimal(text);
}

void append_number(std::string& out, double number) {
    constexpr double largest_exact = 9007199254740992; // 2^53
    std::array<char, 32> buffer;
    char* const begin = buffer.data();
    char* const end = begin + buffer.size();
    if (std::abs(number) < largest_exact && number == std::trunc(number)) {
        out.append(begin, std::to_chars(begin, end, static_cast<std::int64_t>(number)).ptr);
        return;
    }
    if (std::isnan(number)) {
        out += "NaN";
        return;
    }
    if (number < 0) out += '-';
    if (std::isinf(number)) {
        out += "Infinity";
        return;
    }

    // Splits d[.ddd]e±dd into the digits without their point, and the place of the point.
    char* const stop =
        std::to_chars(begin, end, std::abs(number), std::chars_format::scientific).ptr;
    char* const e = std::find(begin, stop, 'e');
    int exponent = 0;
    std::from_chars(e[1] == '+' ? e + 2 : e + 1, stop, exponent);
    std::string_view digits(begin + 1, static_cast<std::size_t>(e - begin - 1));
    if (!digits.empty()) {
        begin[1] = begin[0];
        digits = {begin + 1, digits.size()};
    } else {
        digits = {begin, 1};
    }
    int const count = static_cast<int>(digits.size());
    int const point = exponent + 1;

    if (point > 21 || point <= -6) {
        out += digits[0];
        if (count > 1) out.append(".").append(digits.substr(1));
        out.append(exponent < 0 ? "e-" : "e+").append(std::to_string(std::abs(exponent)));
    } else if (point <= 0) {
        out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
    } else if (point < count) {
        auto const whole = static_cast<std::size_t>(point);
        out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
    } else {
        out.append(digits).append(static_cast<std::size_t>(point - count), '0');
    }
}

char const* end_of_printed(char const* at, char const* end) {
    constexpr std::ptrdiff_t most_digits = 15; // a double holds any number of so many digits
    char const* const begin = at;
    bool const is_negative = at != end && *at == '-';
    char const* const whole = begin + (is_negative ? 1 : 0);
    char const* const point = std::find_if_not(whole, end, is_digit);
    auto const count = point - whole;
    bool const is_zero = count > 0 && *whole == '0';
    if (count == 0 || (is_zero && count > 1)) return begin;
    if (point == end || *point != '.')
        return count <= most_digits && !(is_negative && is_zero) ? point : begin;
    char const* const fraction = point + 1;
    char const* const last = std::find_if_not(fraction, end, is_digit);
    bool const is_small = is_zero && std::string_view(fraction, last).starts_with("000");
    bool const is_printed = last != fraction && count + (last - fraction) <= most_digits &&
                            last[-1] != '0' && !is_small;
    return is_printed ? last : begin;
}

void append_number_of(std::string& out, std::string_view text) {
    auto printed = text;
    if (auto const point = text.find('.'); point != text.npos && point == text.rfind('.')) {
        printed = text.substr(0, text.find_last_not_of('0') + 1);
        if (printed.ends_with('.')) printed.remove_suffix(1);
    }
    char const* const end = printed.data() + printed.size();
    if (!printed.empty() && end_of_printed(printed.data(), end) == end)
        out += printed;
    else
        append_number(out, javascript_number(text).value_or(0));
}

std::optional<std::uint32_t> array_index(std::string_view name) {
    if (name.empty() || !is_digit(name[0]) || (name[0] == '0' && name.size() > 1))
        return std::nullopt;
    std::uint32_t index = 0;
    char const* const end = name.data() + name.size();
    auto const [stop, error] = std::from_chars(name.data(), end, index);
    if (error != std::errc() || stop != end || index == std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    return index;
}

} // namespace parser
