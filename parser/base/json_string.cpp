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

// Most text has nothing to escape, so it is looked at in blocks that compilers turn into vector
// instructions.
struct Block8 {
    using Bytes = unsigned char __attribute__((vector_size(8)));
};
struct Block16 {
    using Bytes = unsigned char __attribute__((vector_size(16)));
};

// The index of the first byte of a block that needs an escape; its size if there is none.
template<class Block>
std::size_t first_escape(char const* at) {
    typename Block::Bytes block;
    std::memcpy(&block, at, sizeof block);
    auto const found = (block < 0x20) | (block == '"') | (block == '\\');
    auto const words = std::bit_cast<std::array<std::uint64_t, sizeof block / 8>>(found);
    constexpr bool little = std::endian::native == std::endian::little;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != 0) {
            auto const bits = little ? std::countr_zero(words[i]) : std::countl_zero(words[i]);
            return 8 * i + static_cast<std::size_t>(bits) / 8;
        }
    return sizeof block;
}

#ifdef __SSE2__
template<>
std::size_t first_escape<Block16>(char const* at) {
    __m128i block;
    std::memcpy(&block, at, sizeof block);
    __m128i const control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    __m128i const quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i const backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    auto const found = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
    return static_cast<std::size_t>(std::countr_zero(found | 1U << sizeof block));
}
#endif

// In text of at least a block. The last block overlaps the one before, in which nothing was found.
template<class Block>
char const* find_escape(char const* at, char const* end) {
    constexpr std::size_t size = sizeof(typename Block::Bytes);
    for (; static_cast<std::size_t>(end - at) >= size; at += size)
        if (auto const index = first_escape<Block>(at); index < size) return at + index;
    return at == end ? end : end - size + first_escape<Block>(end - size);
}

bool has_escape(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Copies what comes before the next escape, and returns its end. Bytes after it may be copied too.
char const* copy_until_escape(char* to, char const* at, char const* end) {
    constexpr std::size_t size = sizeof(Block16::Bytes);
    for (; static_cast<std::size_t>(end - at) >= size; at += size, to += size) {
        std::memcpy(to, at, size);
        if (auto const index = first_escape<Block16>(at); index < size) return at + index;
    }
    for (; at != end && !has_escape(*at); ++at)
        *to++ = *at;
    return at;
}

// What stands after the backslash, for the characters with a short escape; 0 for the others.
char letter_of_escape(char c) {
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\b':
        return 'b';
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\f':
        return 'f';
    case '\r':
        return 'r';
    default:
        return 0;
    }
}

// Writes what is at most `longest_escape` characters, and returns their end.
constexpr std::size_t longest_escape = 6;
char* write_escape(char* to, char c) {
    *to++ = '\\';
    if (char const letter = letter_of_escape(c)) {
        *to++ = letter;
        return to;
    }
    to = std::copy_n(c < 0x10 ? "u000" : "u001", 4, to);
    *to++ = "0123456789abcdef"[c & 0xF];
    return to;
}

// Text with something to escape is put together in pieces of this size, since appending what lies
// between two escapes would cost more than copying it.
constexpr std::size_t piece_size = 512;

void append_piece(std::string& out, std::string_view utf8) {
    char piece[longest_escape * piece_size];
    char* to = piece;
    char const* at = utf8.data();
    char const* const end = at + utf8.size();
    while (at != end) {
        char const* const stop = copy_until_escape(to, at, end);
        to += stop - at;
        at = stop;
        if (at != end) to = write_escape(to, *at++);
    }
    out.append(piece, to);
}

} // namespace

char const* find_json_escape(char const* at, char const* end) {
    if (end - at >= 16) return find_escape<Block16>(at, end);
    if (end - at >= 8) return find_escape<Block8>(at, end);
    return std::find_if(at, end, has_escape);
}

void append_json_escaped(std::string& out, std::string_view utf8) {
    char const* const end = utf8.data() + utf8.size();
    char const* const stop = find_json_escape(utf8.data(), end);
    out.append(utf8.data(), stop);
    std::string_view left(stop, end);
    for (; !left.empty(); left.remove_prefix(std::min(left.size(), piece_size)))
        append_piece(out, left.substr(0, piece_size));
}

void append_json_string(std::string& out, std::string_view utf8) {
    out += '"';
    append_json_escaped(out, utf8);
    out += '"';
}

} // namespace parser
