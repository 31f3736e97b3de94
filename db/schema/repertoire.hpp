#pragma once

#include <cstdint>
#include <string_view>

namespace db {

// The characters that a text column can hold, which follow from its character set.
enum class Repertoire : std::uint8_t {
    unicode,
    basic_plane, // U+0000 to U+FFFF: no emoji
    latin1,      // as MySQL has it: those of Windows-1252
};

// Returns that of a character set as the database names it; `unicode` for sets that are not known
// here, so that the database itself refuses what they cannot hold.
Repertoire repertoire_of(std::string_view character_set);

// Returns whether a column can hold the text, which is UTF-8.
bool holds(Repertoire repertoire, std::string_view utf8);

} // namespace db
