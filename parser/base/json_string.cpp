#include "parser/base/json_string.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace parser {

namespace {

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
struct Written {
    char text[8] = {}; // copied whole
    std::uint8_t size = 1;
};

constexpr Written written_for(unsigned byte) {
    auto const c = static_cast<char>(byte);
    if (byte > 0x7F || !has_escape(c)) return {{c}, 1};
    constexpr std::string_view characters = "\"\\\b\t\n\f\r", letters = "\"\\btnfr";
    if (auto const known = characters.find(c); known != characters.npos)
        return {{'\\', letters[known]}, 2};
    return {{'\\', 'u', '0', '0', byte < 0x10 ? '0' : '1', "0123456789abcdef"[byte & 0xF]},
            longest_escape};
}

constexpr auto written = [] {
    std::array<Written, 256> table;
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
