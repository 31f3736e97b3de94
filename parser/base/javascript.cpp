#include "parser/base/javascript.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

// Both return how many bytes of white space there are: those of one character, or 0.
std::size_t space_at_front(std::string_view text) {
    if (text.empty() || !may_be_space(text.front())) return 0;
    for (auto const space : white_space)
        if (text.starts_with(space)) return space.size();
    return 0;
}

std::size_t space_at_back(std::string_view text) {
    if (text.empty() || !may_be_space(text.back())) return 0;
    for (auto const space : white_space)
        if (text.ends_with(space)) return space.size();
    return 0;
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

constexpr bool has_escape(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Returns which of the next `size` bytes need an escape: bit i is set if byte i does.
template<std::size_t size>
unsigned escapes_in(char const* at) {
#ifdef __SSE2__
    __m128i block = _mm_setzero_si128();
    std::memcpy(&block, at, size);
    __m128i const control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    __m128i const quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i const backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    auto const found = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
    return found & ((1U << size) - 1);
#else
    unsigned found = 0;
    for (std::size_t i = 0; i < size; ++i)
        found |= static_cast<unsigned>(has_escape(at[i])) << i;
    return found;
#endif
}

// Searches text of at least `size` bytes. The last block overlaps the one before, in which nothing
// was found.
template<std::size_t size>
char const* find_escape(char const* at, char const* end) {
    for (; static_cast<std::size_t>(end - at) >= size; at += size)
        if (auto const found = escapes_in<size>(at)) return at + std::countr_zero(found);
    if (at == end) return end;
    auto const found = escapes_in<size>(end - size);
    return found ? end - size + std::countr_zero(found) : end;
}

// What a byte becomes: itself, or an escape.
constexpr std::size_t longest_escape = 6;
struct EscapedByte {
    char text[8] = {}; // copied whole
    std::uint8_t size = 1;
};

constexpr EscapedByte written_for(unsigned byte) {
    auto const c = static_cast<char>(byte);
    if (byte > 0x7F || !has_escape(c)) return {{c}, 1};
    constexpr std::string_view characters = "\"\\\b\t\n\f\r", letters = "\"\\btnfr";
    if (auto const known = characters.find(c); known != characters.npos)
        return {{'\\', letters[known]}, 2};
    return {{'\\', 'u', '0', '0', byte < 0x10 ? '0' : '1', "0123456789abcdef"[byte & 0xF]},
            longest_escape};
}

constexpr auto written = [] {
    std::array<EscapedByte, 256> table;
    for (unsigned byte = 0; byte < table.size(); ++byte)
        table[byte] = written_for(byte);
    return table;
}();

char* write(char* to, char c) {
    auto const& as = written[static_cast<unsigned char>(c)];
    std::memcpy(to, as.text, sizeof as.text);
    return to + as.size;
}

} // namespace

std::string_view trimmed(std::string_view text) {
    while (auto const size = space_at_front(text))
        text.remove_prefix(size);
    while (auto const size = space_at_back(text))
        text.remove_suffix(size);
    return text;
}

std::optional<double> javascript_number(std::string_view text) {
    text = trimmed(text);
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

char const* find_json_escape(char const* at, char const* end) {
    if (end - at >= 16) return find_escape<16>(at, end);
    if (end - at >= 8) return find_escape<8>(at, end);
    return std::find_if(at, end, has_escape);
}

// From the first escape on, text is put together in a piece, since appending what lies between two
// escapes would cost more than copying it. Text is copied in whole blocks; in a block with escapes
// a copy begins after each of them. So a copy reads and writes more than it should, and the next
// one begins where that part should end.
void append_json_escaped(std::string& out, std::string_view utf8) {
    constexpr std::ptrdiff_t size = 16, piece_size = 512;
    char const* const end = utf8.data() + utf8.size();
    char const* at = find_json_escape(utf8.data(), end);
    out.append(utf8.data(), at);
    if (at == end) return;
    char piece[piece_size + longest_escape * 3 * size]; // room for one more block and the rest
    char* to = piece;
    for (; end - at >= 2 * size; at += size) {
        if (to - piece >= piece_size) {
            out.append(piece, to);
            to = piece;
        }
        std::memcpy(to, at, size);
        std::ptrdiff_t copied = 0;
        for (auto found = escapes_in<size>(at); found != 0; found &= found - 1) {
            auto const next = std::countr_zero(found);
            to = write(to + (next - copied), at[next]);
            copied = next + 1;
            std::memcpy(to, at + copied, size);
        }
        to += size - copied;
    }
    for (; at != end; ++at)
        to = write(to, *at);
    out.append(piece, to);
}

void append_json_string(std::string& out, std::string_view utf8) {
    out += '"';
    append_json_escaped(out, utf8);
    out += '"';
}

} // namespace parser
