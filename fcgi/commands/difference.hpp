#pragma once

#include <optional>
#include <string>
#include <string_view>

// Compares two responses. The order of object members never matters; that of lists does, except for
// localizations.

namespace comparison {

// writing: 1 and 1.0, or "é" and "\u00e9", differ. meaning: they are the same. digits: so are
// numbers that agree in 14 digits, since mysql2 3.11 and older, which releases of Strapi before
// 2026 had, round the last ones.
enum class Precision { digits, meaning, writing };

// The first place where two responses differ.
struct Difference {
    // One of: status, content type, allow, missing key, extra key, repeated key, length, order,
    // value.
    std::string_view cause;
    std::string where; // /data/0/attributes/title
    std::string expected;
    std::string got;
};

// Cuts long values.
Difference difference(std::string_view cause, std::string_view where, std::string_view expected,
                      std::string_view got);

// Compares bodies byte by byte if they are not both JSON. The cause is `order` if the lists of
// entries differ in their order alone.
std::optional<Difference> compare_bodies(std::string_view expected, std::string_view got,
                                         Precision precision);

struct Json;
std::optional<Difference> compare_json(Json const& expected, Json const& got,
                                       std::string const& where, Precision precision);

} // namespace comparison
