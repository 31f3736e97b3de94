#include "db/binlog/position.hpp"

#include <algorithm>
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

// Takes a number off the front; returns 0 if there is none.
std::uint64_t take_number(std::string_view& text) {
    std::uint64_t number = 0;
    auto const parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
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

std::uint64_t settled_number(std::string_view set, std::string_view uuid) {
    auto const found = uuid.empty() ? set.npos : set.find(uuid);
    if (found == set.npos) return 0;
    set.remove_prefix(found + uuid.size());
    if (!set.starts_with(":")) return 0;
    set.remove_prefix(1);
    if (take_number(set) != 1) return 0; // or a tag
    if (!set.starts_with("-")) return 1;
    set.remove_prefix(1);
    return take_number(set);
}

std::uint64_t highest_owned(std::string_view owned) {
    std::uint64_t highest = 0;
    for (auto colon = owned.find(':'); colon != owned.npos; colon = owned.find(':')) {
        owned.remove_prefix(colon + 1);
        highest = std::max(highest, take_number(owned));
    }
    return highest;
}

std::string uuid_text(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        auto const byte = static_cast<unsigned char>(bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

} // namespace db
