#include "db/schema/repertoire.hpp"

#include <algorithm>
#include <cstddef>

namespace db {

namespace {

struct CharacterSet {
    std::string_view name;
    Repertoire repertoire;
};

constexpr CharacterSet narrow_sets[] = {
    {"utf8", Repertoire::basic_plane}, // what MariaDB before 10.6 and MySQL before 8.0.28 call it
    {"utf8mb3", Repertoire::basic_plane},
    {"ucs2", Repertoire::basic_plane},
    {"latin1", Repertoire::latin1},
};

// The first byte of a character beyond the basic plane.
constexpr unsigned char beyond_basic_plane = 0xF0;

// The characters from 0x80 to 0x9F.
constexpr std::string_view of_windows_1252 =
    "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

std::size_t size_of(unsigned char first_byte) {
    if (first_byte < 0x80) return 1;
    if (first_byte < 0xE0) return 2;
    return first_byte < beyond_basic_plane ? 3 : 4;
}

// UTF-8 sorts as the characters do.
bool is_latin1(std::string_view character) {
    return character < "\u0080" || (character >= "\u00A0" && character <= "\u00FF") ||
           of_windows_1252.find(character) != std::string_view::npos;
}

bool is_latin1_text(std::string_view utf8) {
    while (!utf8.empty()) {
        auto const size = std::min(size_of(static_cast<unsigned char>(utf8[0])), utf8.size());
        if (!is_latin1(utf8.substr(0, size))) return false;
        utf8.remove_prefix(size);
    }
    return true;
}

} // namespace

Repertoire repertoire_of(std::string_view character_set) {
    auto const* const found = std::ranges::find(narrow_sets, character_set, &CharacterSet::name);
    return found == std::end(narrow_sets) ? Repertoire::unicode : found->repertoire;
}

bool holds(Repertoire repertoire, std::string_view utf8) {
    switch (repertoire) {
    case Repertoire::basic_plane:
        return std::ranges::none_of(utf8,
                                    [](unsigned char byte) { return byte >= beyond_basic_plane; });
    case Repertoire::latin1:
        return is_latin1_text(utf8);
    case Repertoire::unicode:
        break;
    }
    return true;
}

} // namespace db
