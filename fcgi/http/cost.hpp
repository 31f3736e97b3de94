#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fcgi {

// What an answer is expected to cost the database, known before it is asked. These names are those
// of logs and metrics.
enum class Cost : std::uint8_t {
    cheap,   // those of its kind take little time; or it is made without a plan
    unknown, // the first of its kind, or those take now little time and now much
    dear,    // those of its kind take much; or the first looks as if it will
};
inline constexpr std::array<std::string_view, 3> cost_names = {"cheap", "unknown", "dear"};

inline std::string_view name_of(Cost cost) {
    return cost_names[static_cast<std::size_t>(cost)];
}

} // namespace fcgi
