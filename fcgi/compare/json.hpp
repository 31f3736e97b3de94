#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// JSON as it is written: numbers, strings and keys keep their exact text, so that answers can be
// compared token by token. `1.0` and `1`, or `"\u00e9"` and `"é"`, are different here.
//
// Boost.JSON tells the text of numbers alone, and refuses half of a surrogate pair, which answers
// of JavaScript may hold.

namespace comparison {

struct Json {
    enum class Kind { word, number, string, list, object }; // word: null, true, false

    struct Member;

    Kind kind = Kind::word;
    std::string_view text; // the whole value as written, in the text that was parsed
    std::vector<Json> elements;
    std::vector<Member> members;

    // `key` without quotes; null if there is none.
    Json const* find(std::string_view key) const;
};

struct Json::Member {
    std::string_view first; // the key as written, with its quotes
    Json second;
};

// Nothing if `text` is not one JSON value. The result holds views into `text`.
std::optional<Json> parse_json(std::string_view text);

// The characters that a string token stands for. A lone surrogate stays as written.
std::string decode_string(std::string_view token);

// One text for all ways to write the same members in another order.
std::string canonical(Json const& value);

} // namespace comparison
