#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

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

namespace parser {

struct Segment {
    enum class Kind { root, group, rest };
    Kind kind;
    std::string_view name; // part of the key; for a group, the text between its brackets
};

// Puts the segments of `key` into `segments`, whose former contents are lost. Depth 0 leaves all
// groups in the rest.
void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

// Cuts a key as qs 6.15.3 does: the name of a group may contain groups, and a bracket that is never
// closed begins a group whose name is that bracket and all that follows. Depth is 1 or more.
void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

} // namespace parser
