#pragma once

#include <boost/json/error.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace db {

// Parses a JSON document, up to 200 levels deep. The numbers are exact; those of boost::json::parse
// may be off in the last place (Boost 1.81).
boost::json::value parse_line(std::string_view text, boost::json::error_code& error);

} // namespace db
