#include "parser/json_string.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace parser {

namespace {

bool needs_escape(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Most text has nothing to escape, so it is looked at in blocks that compilers turn into vector
// instructions.
using Block = unsigned char __attribute__((vector_size(16)));

bool any_needs_escape(char const* at) {
    Block block;
    std::memcpy(&block, at, sizeof block);
    auto const found = (block < 0x20) | (block == '"') | (block == '\\');
    auto const halves = std::bit_cast<std::array<std::uint64_t, 2>>(found);
    return (halves[0] | halves[1]) != 0;
}

char const* find_escape(char const* at, char const* end) {
    constexpr std::ptrdiff_t size = sizeof(Block);
    if (end - at >= size) {
        while (end - at >= size && !any_needs_escape(at))
            at += size;
        // The last block overlaps the one before.
        if (end - at < size && !any_needs_escape(end - size)) return end;
    }
    while (at != end && !needs_escape(*at))
        ++at;
    return at;
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

void append_json_escaped(std::string& out, std::string_view utf8) {
    char const* at = utf8.data();
    char const* const end = at + utf8.size();
    for (;;) {
        char const* const stop = find_escape(at, end);
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
