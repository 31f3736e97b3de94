#include "db/binlog/position.hpp"

#include <charconv>

namespace db {

namespace {

std::optional<std::uint64_t> number_below(std::string_view digits, unsigned bits) {
    std::uint64_t number = 0;
    auto const* const end = digits.data() + digits.size();
    auto const [at, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || at != end || number >> bits != 0) return std::nullopt;
    return number;
}

} // namespace

std::optional<std::uint64_t> file_number(std::string_view name) {
    auto const dot = name.rfind('.');
    if (dot == name.npos) return std::nullopt;
    return number_below(name.substr(dot + 1), 64 - offset_bits);
}

std::optional<Position> position_of(std::string_view file, std::string_view offset) {
    auto const number = file_number(file);
    auto const at = number_below(offset, offset_bits);
    if (!number || !at) return std::nullopt;
    return position_in(*number, *at);
}

} // namespace db
