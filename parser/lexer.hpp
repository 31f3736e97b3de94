#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The bytes of a query string, before they have a meaning: UTF-8, escapes, and the segments of a
// key.

namespace parser {

// Decodes a key or value of a query string in place: `+` becomes a space, and %XX become bytes of
// UTF-8, as in decodeURIComponent. If any escape is malformed (no two hex digits, or not the UTF-8
// of one character), qs 6.15 leaves all of them as they are, so only the pluses are decoded.
// Returns a view into `token`.
std::string_view decode_component(std::span<char> token);

// Decodes a part of a path in the same way, but leaves pluses as they are.
std::string_view decode_escapes(std::span<char> token);

// Replaces each sequence of bytes that is not UTF-8 (the longest one that begins a character, else
// one byte) with U+FFFD, as browsers and Node do.
void replace_invalid_utf8(std::string& text);

// The grammar of a key, after decoding, as qs 6.15 reads it:
//
//     key     = root *depth( group skipped ) [ rest ]
//     root    = text before the first group; may be empty, and then there is no such segment
//     group   = "[" *( any byte but brackets ) "]"
//     skipped = text before the next group
//     rest    = whatever remains from group number depth + 1 on
//
// Every text has exactly one reading. The grammar has no recursion and takes time linear in the
// key.

enum class SegmentKind { root, group, rest };
struct Segment {
    SegmentKind kind;
    std::string_view name; // part of the key; for a group, the text between its brackets
};

// Puts the segments of `key` into `segments`, whose former contents are lost. Depth 0 leaves all
// groups in the rest.
void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

// Cuts a key as qs 6.15.3 does: the name of a group may contain groups, and a bracket that is never
// closed begins a group whose name is that bracket and all that follows. Depth is 1 or more.
void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

} // namespace parser
