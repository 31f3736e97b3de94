#pragma once

#include "parser/base/error.hpp"
#include "parser/place.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace db {

// The error for which a query is refused; absent if it is not refused.
using Refusal = std::optional<parser::Error>;

// Returns the path to a place, such as `author.account`; nothing at the root.
std::optional<std::string> dotted(parser::Place const* path);

// Returns the error of Strapi 5.54 for a name that does not exist or may not be used: "Invalid key
// K at PATH", with {"key","path","source","param"} as details. Without `param` the last two are
// left out.
parser::Error invalid_key(std::string_view key, std::optional<std::string> path,
                          std::string_view param);

// Returns the error for anything else, which has no details.
parser::Error invalid(std::string message);

} // namespace db
