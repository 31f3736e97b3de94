#pragma once

#include "db/schema/schema.hpp"

#include <cstdint>
#include <optional>

// How large what a statement gives can be, by what the schema says of its columns.

namespace db {

// Most bytes of an attribute's cell; absent: there is no telling.
std::optional<std::uint32_t> most_bytes(Attribute const& attribute);

// Of the columns that relate rows: ids, positions, and names of types and attributes.
inline constexpr std::uint32_t longest_key = 255 * 4;

} // namespace db
