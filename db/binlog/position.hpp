#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace db {

// A place in the binlog: the number of a file and an offset in it, as one number that grows with
// the binlog.
using Position = std::uint64_t;

constexpr unsigned offset_bits = 40; // one terabyte per file

constexpr Position position_in(std::uint64_t file, std::uint64_t offset) {
    return file << offset_bits | offset;
}
constexpr std::uint64_t file_of(Position position) {
    return position >> offset_bits;
}

// Returns the 7 of `bin.000007`; none if there is no number, or one of more than 24 bits.
std::optional<std::uint64_t> file_number(std::string_view name);

// Reads a position from the two columns of SHOW MASTER STATUS.
std::optional<Position> position_of(std::string_view file, std::string_view offset);

} // namespace db
