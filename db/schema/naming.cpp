#include "db/schema/naming.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/regex.hpp>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <iterator>
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

constexpr std::size_t hash_digits = 5;

// Returns the first five hexadecimal digits of SHAKE-256.
std::string hash_of(std::string_view text) {
    std::array<unsigned char, (hash_digits + 1) / 2> bytes{};
    EVP_MD_CTX* const context = EVP_MD_CTX_new();
    EVP_DigestInit_ex(context, EVP_shake256(), nullptr);
    EVP_DigestUpdate(context, text.data(), text.size());
    EVP_DigestFinalXOF(context, bytes.data(), bytes.size());
    EVP_MD_CTX_free(context);
    std::string digits;
    boost::algorithm::hex_lower(bytes, std::back_inserter(digits));
    return digits.substr(0, hash_digits);
}

std::string joined(std::vector<std::string> const& parts) {
    std::string name;
    for (std::string const& part : parts)
        name.append(&part == &parts.front() ? "" : "_").append(part);
    return name;
}

// Returns how many characters each part that is not fixed may have, so that all together have
// `room`: the same for each, and what short ones leave goes to the others in turn.
std::vector<std::size_t> shares(std::vector<std::size_t> const& sizes, std::size_t room) {
    std::size_t const each = room / sizes.size();
    std::size_t rest = room % sizes.size();
    std::vector<std::size_t> shares;
    for (std::size_t const size : sizes) {
        shares.push_back(std::min(size, each));
        rest += each - shares.back();
    }
    for (bool is_short = true; rest > 0 && is_short;) {
        is_short = false;
        for (std::size_t i = 0; i < sizes.size() && rest > 0; ++i) {
            if (shares[i] == sizes[i]) continue;
            ++shares[i];
            --rest;
            is_short = true;
        }
    }
    return shares;
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

// Strapi 5.54 shortens identifiers: a part with too many characters keeps its first ones, followed
// by a hash of the whole part.
std::string Layout::name(std::initializer_list<NamePart> parts) const {
    std::vector<std::string> texts;
    std::vector<std::size_t> sizes; // of those that are not fixed
    std::size_t taken = parts.size() - 1;
    for (NamePart const& part : parts) {
        texts.push_back(part.text);
        if (part.is_fixed)
            taken += part.text.size();
        else
            sizes.push_back(part.text.size());
    }
    auto const whole = joined(texts);
    if (longest_name == 0 || whole.size() <= longest_name || sizes.empty() || taken > longest_name)
        return whole;
    auto const room = shares(sizes, longest_name - taken);
    auto share = room.begin();
    std::size_t at = 0;
    for (NamePart const& part : parts) {
        std::string& text = texts[at++];
        if (part.is_fixed) continue;
        std::size_t const most = *share++;
        if (text.size() > most && most > hash_digits)
            text = text.substr(0, most - hash_digits) + hash_of(text);
    }
    return joined(texts);
}

std::string document_id(std::array<unsigned char, 24> const& bytes) {
    constexpr std::string_view signs = "abcdefghijklmnopqrstuvwxyz0123456789";
    constexpr std::size_t letters = 26;
    std::string id;
    for (unsigned char const byte : bytes)
        id += signs[byte % (id.empty() ? letters : signs.size())];
    return id;
}

std::string stable_document_id(std::string_view uid, std::string_view key) {
    auto const text = std::string(uid) + ' ' + std::string(key);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
    std::array<unsigned char, 24> bytes{};
    std::copy_n(digest.begin(), bytes.size(), bytes.begin());
    return document_id(bytes);
}

} // namespace db
