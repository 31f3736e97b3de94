#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Compares two responses. The order of object members never matters; that of lists does, except for
// localizations.
//
// JSON stays as it is written: numbers, strings and keys keep their exact text, so that responses
// can be compared token by token. `1.0` and `1`, or `"\u00e9"` and `"é"`, are different here.
//
// Boost.JSON keeps the text of numbers only, and refuses half of a surrogate pair, which responses
// of JavaScript may contain.

namespace comparison {

struct Json {
    enum class ValueKind { word, number, string, list, object }; // word: null, true, false

    struct Member;

    ValueKind kind = ValueKind::word;
    std::string_view text; // the whole value as written, in the text that was parsed
    std::vector<Json> elements;
    std::vector<Member> members;

    // Returns the value of `key`, which has no quotes; null if there is none.
    Json const* find(std::string_view key) const;
};

struct Json::Member {
    std::string_view first; // the key as written, with its quotes
    Json second;
};

// Returns nothing if `text` is not one JSON value. The result has views into `text`.
std::optional<Json> parse_json(std::string_view text);

// Returns the characters of a string token. A token with a lone surrogate stays as written.
std::string decode_string(std::string_view token);

// Returns the same text for values that differ only in the order of members.
std::string canonical(Json const& value);

// writing: 1 and 1.0, or "é" and "\u00e9", differ. meaning: they are the same. digits: so are
// numbers that agree in 14 digits, since mysql2 3.11 and older, which releases of Strapi before
// 2026 had, round the last ones.
enum class Precision { digits, meaning, writing };

// The first place where two responses differ.
struct Mismatch {
    // One of: status, content type, allow, missing key, extra key, repeated key, length, order,
    // value.
    std::string_view cause;
    std::string where; // /data/0/attributes/title
    std::string expected;
    std::string got;
};

// Cuts long values.
Mismatch difference(std::string_view cause, std::string_view where, std::string_view expected,
                    std::string_view got);

// Compares bodies byte by byte if they are not both JSON. The cause is `order` if the lists of
// entries differ in their order alone.
std::optional<Mismatch> compare_bodies(std::string_view expected, std::string_view got,
                                       Precision precision);

std::optional<Mismatch> compare_json(Json const& expected, Json const& got,
                                     std::string const& where, Precision precision);

} // namespace comparison
