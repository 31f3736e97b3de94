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
    std::string_view name; // part of the key; of a group what is between its brackets
};

// Puts the segments of `key` into `segments`, whose former contents are lost. Depth 0 reads the
// whole key as root.
void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

// As qs 6.15.3 reads it: a group may have groups in its name, and a bracket that is never closed
// begins a group too, whose name is all that follows, with the bracket. Depth is 1 or more.
void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments);

} // namespace parser
