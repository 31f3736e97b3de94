#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// The cells of a row of RFC 4180; absent where quotes are not as they should be.
std::optional<std::vector<std::string>> parse_csv_row(std::string_view text);

// Whether a row that begins in the text ends within a quoted cell, and goes on in the next line; of
// a line within such a cell, whether it ends behind it.
bool is_open_csv(std::string_view text);

// What a cell means as the value of the attribute of that name, or of its `id`.
parser::Result<boost::json::value> csv_value(ContentType const& type, std::string_view name,
                                             std::string const& cell);

} // namespace db
