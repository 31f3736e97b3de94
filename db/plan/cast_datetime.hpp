#pragma once

#include "parser/base/error.hpp"

#include <string>
#include <string_view>

// Dates and times as Strapi 4.26 reads them in filters, with date-fns 2.30. Each function answers
// the text to compare a column with, or `invalid` with the reference's own words. Nothing depends
// on the process's locale or on the current time.

namespace db {

// `YYYY-MM-DD`, with anything behind it. A day that the month doesn't have is "Invalid date".
parser::Result<std::string> cast_date(std::string_view text);

// `HH:mm:ss` and, after any one character, one to three digits of the second; answers
// `HH:mm:ss.SSS`.
parser::Result<std::string> cast_time(std::string_view text);

// An ISO 8601 date with or without a time and an offset, as date-fns 2.30's parseISO takes it, else
// milliseconds since 1970; answers `YYYY-MM-DD HH:mm:ss.SSS` on the server's clock.
parser::Result<std::string> cast_datetime(std::string_view text);

} // namespace db
