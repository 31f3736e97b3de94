#pragma once

#include <boost/json/error.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// Parses a JSON document, up to 200 levels deep. The numbers are exact; those of boost::json::parse
// may be off in the last place (Boost 1.81).
boost::json::value parse_line(std::string_view text, boost::json::error_code& error);

// Returns the id of a row, an unsigned INT; 0 if the value is none or null.
std::uint32_t id_of(boost::json::value const* value);

// Prints JSON as JSON.stringify does, which is the form in which Strapi stores it. Returns nothing
// if there is a number that JSON cannot hold.
std::optional<std::string> stringify(boost::json::value const& value);

std::string json_text(std::string_view text); // with its quotes

} // namespace db
