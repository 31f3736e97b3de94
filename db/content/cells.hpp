#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace db {

// Reads a cell that holds an id. NULL is 0.
inline std::uint64_t integer_cell(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Reads a cell that holds an order. NULL is 0.
inline double number_cell(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

} // namespace db
