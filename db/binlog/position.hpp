#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace db {

// A place in the log: the number of a file and an offset in it, as one number that grows with the
// log.
using Position = std::uint64_t;

constexpr unsigned offset_bits = 40; // a terabyte a file

constexpr Position position_in(std::uint64_t file, std::uint64_t offset) {
    return file << offset_bits | offset;
}
constexpr std::uint64_t file_of(Position position) {
    return position >> offset_bits;
}

// 7 of `bin.000007`. None: it has no number, or one of more than 24 bits.
std::optional<std::uint64_t> file_number(std::string_view name);

// As SHOW MASTER STATUS has it, in two columns.
std::optional<Position> position_of(std::string_view file, std::string_view offset);

} // namespace db
