#include "parser/json_string.hpp"

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

void append_escape(std::string& out, char c) {
    out += '\\';
    switch (c) {
    case '"':
    case '\\':
        out += c;
        return;
    case '\b':
        out += 'b';
        return;
    case '\t':
        out += 't';
        return;
    case '\n':
        out += 'n';
        return;
    case '\f':
        out += 'f';
        return;
    case '\r':
        out += 'r';
        return;
    default:
        out += c < 0x10 ? "u000" : "u001";
        out += "0123456789abcdef"[c & 0xF];
    }
}

} // namespace

char const* find_json_escape(char const* at, char const* end) {
    if (end - at >= 16) return find_escape<Block16>(at, end);
    if (end - at >= 8) return find_escape<Block8>(at, end);
    return std::find_if(at, end, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
    });
}

void append_json_escaped(std::string& out, std::string_view utf8) {
    char const* at = utf8.data();
    char const* const end = at + utf8.size();
    for (;;) {
        char const* const stop = find_json_escape(at, end);
        out.append(at, stop);
        if (stop == end) return;
        append_escape(out, *stop);
        at = stop + 1;
    }
}

void append_json_string(std::string& out, std::string_view utf8) {
    out += '"';
    append_json_escaped(out, utf8);
    out += '"';
}

} // namespace parser
