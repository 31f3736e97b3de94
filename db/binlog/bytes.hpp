#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The parts of the binlog's events; for the sources of this module alone.

namespace db {

inline constexpr std::size_t table_number_bytes = 6;

// Takes bytes from the front, and knows in the end whether there were enough.
struct Bytes {
    std::string_view left;
    bool enough = true;

    std::string_view take(std::size_t count) {
        enough = enough && count <= left.size();
        if (!enough) return {};
        auto const taken = left.substr(0, count);
        left.remove_prefix(count);
        return taken;
    }
    template<std::unsigned_integral T>
    T number() {
        return static_cast<T>(integer(sizeof(T)));
    }
    // Takes a number of the protocol's variable length; NULL, which it may stand for, is not
    // enough.
    std::uint64_t counted_number() {
        auto const first = number<std::uint8_t>();
        switch (first) {
        case 0xfb:
            enough = false;
            return 0;
        case 0xfc:
            return number<std::uint16_t>();
        case 0xfd:
            return integer(3);
        case 0xfe:
            return number<std::uint64_t>();
        default:
            return first;
        }
    }
    // Takes a little-endian number of so many bytes, at most 8.
    std::uint64_t integer(std::size_t size) {
        std::uint64_t number = 0;
        auto const bytes = take(size);
        for (auto at = bytes.rbegin(); at != bytes.rend(); ++at)
            number = number << 8 | static_cast<unsigned char>(*at);
        return number;
    }
    // Takes a name, which has its length before it and a 0 after it.
    std::string_view name() {
        auto const text = take(number<std::uint8_t>());
        take(1);
        return text;
    }
};

template<class T>
std::optional<T> if_enough(Bytes const& bytes, T const& value) {
    return bytes.enough ? std::optional(value) : std::nullopt;
}

} // namespace db
