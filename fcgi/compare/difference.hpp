#pragma once

#include <optional>
#include <string>
#include <string_view>

// Are two answers the same? The order of object members never matters, that of lists does, but for
// localizations.

namespace comparison {

// Whether 1 and 1.0, or "é" and "\u00e9", are the same; or even numbers that agree in 14 digits:
// mysql2 3.11 and older, which releases of Strapi before 2026 had, round the last ones.
enum class Precision { digits, meaning, writing };

// The first place where an answer is another one.
struct Difference {
    std::string_view
        cause;         // status, content type, allow, missing key, extra key, length, order, value
    std::string where; // /data/0/attributes/title
    std::string expected;
    std::string got;
};

// Long values are cut.
Difference difference(std::string_view cause, std::string_view where, std::string_view expected,
                      std::string_view got);

// Bodies that are not both JSON are compared byte by byte. The cause is `order` where the lists of
// entries hold the same ones.
std::optional<Difference> compare_bodies(std::string_view expected, std::string_view got,
                                         Precision precision);

struct Json;
std::optional<Difference> compare_json(Json const& expected, Json const& got,
                                       std::string const& where, Precision precision);

} // namespace comparison
