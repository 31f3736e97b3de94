#include "db/schema/naming.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/regex.hpp>

#include <array>
#include <vector>

namespace db {

namespace {

// U+00C0 to U+017F as lodash's deburr() writes them; the two that are no letters end a word.
constexpr std::array<std::string_view, 192> latin = {
    "A", "A", "A",  "A",  "A", "A", "Ae", "C", "E", "E",  "E", "E", "I", "I", "I",  "I",  //
    "D", "N", "O",  "O",  "O", "O", "O",  " ", "O", "U",  "U", "U", "U", "Y", "Th", "ss", //
    "a", "a", "a",  "a",  "a", "a", "ae", "c", "e", "e",  "e", "e", "i", "i", "i",  "i",  //
    "d", "n", "o",  "o",  "o", "o", "o",  " ", "o", "u",  "u", "u", "u", "y", "th", "y",  //
    "A", "a", "A",  "a",  "A", "a", "C",  "c", "C", "c",  "C", "c", "C", "c", "D",  "d",  //
    "D", "d", "E",  "e",  "E", "e", "E",  "e", "E", "e",  "E", "e", "G", "g", "G",  "g",  //
    "G", "g", "G",  "g",  "H", "h", "H",  "h", "I", "i",  "I", "i", "I", "i", "I",  "i",  //
    "I", "i", "IJ", "ij", "J", "j", "K",  "k", "k", "L",  "l", "L", "l", "L", "l",  "L",  //
    "l", "L", "l",  "N",  "n", "N", "n",  "N", "n", "'n", "N", "n", "O", "o", "O",  "o",  //
    "O", "o", "Oe", "oe", "R", "r", "R",  "r", "R", "r",  "S", "s", "S", "s", "S",  "s",  //
    "S", "s", "T",  "t",  "T", "t", "T",  "t", "U", "u",  "U", "u", "U", "u", "U",  "u",  //
    "U", "u", "U",  "u",  "W", "w", "Y",  "y", "Y", "Z",  "z", "Z", "z", "Z", "z",  "s",
};

// Writes Latin letters without their accents and drops combining marks (U+0300 to U+036F).
std::string deburr(std::string_view utf8) {
    std::string plain;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        auto lead = static_cast<unsigned char>(utf8[i]);
        auto next = i + 1 < utf8.size() ? static_cast<unsigned char>(utf8[i + 1]) : 0U;
        bool const is_latin = lead >= 0xC3 && lead <= 0xC5 && next >= 0x80;
        bool const is_mark = (lead == 0xCC && next >= 0x80) || (lead == 0xCD && next < 0xB0);
        if (is_latin) plain += latin.at((lead - 0xC3U) * 64 + (next & 0x3FU));
        if (!is_latin && !is_mark) plain += utf8[i];
        if (is_latin || is_mark) ++i;
    }
    return plain;
}

// Returns the words of a name, in lower case: words() of lodash 4 on the deburred text without
// apostrophes.
std::vector<std::string> words(std::string_view name) {
    // The alternatives are in the order in which lodash tries them: Word, ACRONYM, word, UPPER,
    // 2ND, 2nd, digits. Bytes of other scripts count as letters without case.
    static boost::regex const word("[A-Z]?[a-z]+(?=[^a-z0-9\x80-\xff]|$)"
                                   "|[A-Z\x80-\xff]+(?=[^A-Za-z0-9\x80-\xff]|[A-Z][a-z\x80-\xff]|$)"
                                   "|[A-Z]?[a-z\x80-\xff]+"
                                   "|[A-Z]+"
                                   "|\\d*(?:1ST|2ND|3RD|[04-9]TH)(?=[^A-Z0-9]|$)"
                                   "|\\d*(?:1st|2nd|3rd|[04-9]th)(?=[^a-z0-9]|$)"
                                   "|\\d+");

    std::string text = deburr(name);
    boost::erase_all(text, "'");
    boost::erase_all(text, "\u2019");
    std::vector<std::string> found;
    for (boost::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
        found.push_back(boost::to_lower_copy(at->str(), std::locale::classic()));
    return found;
}

} // namespace

std::string snake_case(std::string_view name) {
    return boost::join(words(name), "_");
}

std::string kebab_case(std::string_view name) {
    return boost::join(words(name), "-");
}

std::string normalized_name(std::string_view name) {
    static boost::regex const kebab("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    return boost::regex_match(name.begin(), name.end(), kebab) ? std::string(name)
                                                               : kebab_case(name);
}

} // namespace db
