#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fcgi {

// What a response is expected to cost the database, before the database is asked. Logs and metrics
// use these names.
enum class Cost : std::uint8_t {
    cheap,     // requests of its kind take little time, or it is made without a plan
    unknown,   // the first of its kind, or of a kind that takes little time or much
    expensive, // requests of its kind take much time, or the first is estimated to
};
inline constexpr std::array<std::string_view, 3> cost_names = {"cheap", "unknown", "expensive"};

inline std::string_view name_of(Cost cost) {
    return cost_names[static_cast<std::size_t>(cost)];
}

} // namespace fcgi
