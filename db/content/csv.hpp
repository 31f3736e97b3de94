#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// Returns the cells of a row of RFC 4180, or nothing if its quotes are wrong.
std::optional<std::vector<std::string>> parse_csv_row(std::string_view text);

// Returns whether a row that begins in the text ends within a quoted cell, and so continues in the
// next line. For a line that begins within such a cell, returns whether it ends outside of one.
bool is_open_csv(std::string_view text);

// Returns what a cell means as the value of the attribute of that name, or of `id`.
parser::Result<boost::json::value> csv_value(ContentType const& type, std::string_view name,
                                             std::string const& cell);

} // namespace db
