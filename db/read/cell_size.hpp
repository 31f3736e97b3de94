#pragma once

#include "db/schema/schema.hpp"

#include <cstdint>
#include <optional>

// Says how large the results of a statement can be, by what the schema says of its columns.

namespace db {

// Returns the most bytes of an attribute's cell; absent if that is not known.
std::optional<std::uint32_t> most_bytes(Attribute const& attribute);

// The most bytes of a column that relates rows: ids, positions, and names of types and attributes.
inline constexpr std::uint32_t longest_key = 255 * 4;

} // namespace db
