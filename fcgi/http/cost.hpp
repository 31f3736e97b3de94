#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fcgi {

// What a response is expected to cost the database, before the database is asked. Logs and metrics
// use these names.
enum class Cost : std::uint8_t {
    cheap,     // its kind takes little time; or it is made without a plan
    unknown,   // the first of its kind, or its kind takes now little time and now much
    expensive, // its kind takes much; or the first looks as if it will
};
inline constexpr std::array<std::string_view, 3> cost_names = {"cheap", "unknown", "expensive"};

inline std::string_view name_of(Cost cost) {
    return cost_names[static_cast<std::size_t>(cost)];
}

} // namespace fcgi
