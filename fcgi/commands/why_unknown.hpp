#pragma once

#include "db/schema/schema.hpp"

#include <string>
#include <string_view>

namespace fcgi {

// Returns, for the operator, why a path has no route, with the file that keeps a type from being
// served.
std::string why_unknown(std::string_view path, std::string_view prefix, db::Schema const& schema);

} // namespace fcgi
