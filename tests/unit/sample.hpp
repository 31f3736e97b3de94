#pragma once

#include <ostream>
#include <string>
#include <string_view>

// A row of a table: a text, and what comes of it.
struct Sample {
    std::string text;
    std::string expected;
};
inline std::ostream& operator<<(std::ostream& out, Sample const& sample) {
    return out << sample.text.substr(0, 100);
}

inline std::string repeat(std::size_t times, std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}
