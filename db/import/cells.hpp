#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace db {

// A cell that holds an id; 0 for NULL.
inline std::uint64_t integer_cell(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// A cell that holds an order; 0 for NULL.
inline double number_cell(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

} // namespace db
