#pragma once

#include "parser/base/error.hpp"

#include <string>
#include <string_view>

// Dates and times as Strapi 4.26 reads them in filters, with date-fns 2.30. Each function returns
// the text to compare a column with, or an `invalid` error in Strapi's own words. Nothing depends
// on the process's locale or on the current time.

namespace db {

// Reads `YYYY-MM-DD`, ignoring what follows. A day that the month doesn't have is "Invalid date".
parser::Result<std::string> cast_date(std::string_view text);

// Reads `HH:mm:ss` and, after any one character, one to three digits of the second; returns
// `HH:mm:ss.SSS`.
parser::Result<std::string> cast_time(std::string_view text);

// Reads an ISO 8601 date with or without a time and an offset, as date-fns 2.30's parseISO takes
// it, else milliseconds since 1970; returns `YYYY-MM-DD HH:mm:ss.SSS` in the zone of the CMS.
parser::Result<std::string> cast_datetime(std::string_view text);

} // namespace db
