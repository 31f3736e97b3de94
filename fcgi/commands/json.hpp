#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// JSON as it is written: numbers, strings and keys keep their exact text, so that responses can be
// compared token by token. `1.0` and `1`, or `"\u00e9"` and `"é"`, are different here.
//
// Boost.JSON keeps the text of numbers only, and refuses half of a surrogate pair, which responses
// of JavaScript may contain.

namespace comparison {

struct Json {
    enum class Kind { word, number, string, list, object }; // word: null, true, false

    struct Member;

    Kind kind = Kind::word;
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

} // namespace comparison
