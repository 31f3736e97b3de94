#pragma once

#include "db/plan/read_plan.hpp"
#include "parser/base/error.hpp"

#include <string>
#include <string_view>

// Casts the values of filters by the rules of Strapi 4.26. Nothing depends on the process's locale
// or on the current time.

namespace db {

// Casts the value of a filter to the type of its attribute: numbers as
// JavaScript's Number() reads them, booleans by truthiness, dates and times by date-fns 2.30.
// `where` is the place in the query (`filters[rank][$gt]`), for the message. Dates that can't be
// read are errors with Strapi's own text; for what Strapi answers with 500 the error is `invalid`
// and says what was expected.
parser::Result<Literal> cast(AttributeType type, std::string_view text, std::string_view where);

// Whether a text is true as a boolean, or as the value of $null and $notNull.
bool cast_boolean(std::string_view text);

// Dates and times, with date-fns 2.30. Each function returns the text to compare a column with, or
// an `invalid` error in Strapi's own words.

// Reads `YYYY-MM-DD`, ignoring what follows. A day that the month doesn't have is "Invalid date".
parser::Result<std::string> cast_date(std::string_view text);

// Reads `HH:mm:ss` and, after any one character, one to three digits of the second; returns
// `HH:mm:ss.SSS`.
parser::Result<std::string> cast_time(std::string_view text);

// Reads an ISO 8601 date with or without a time and an offset, as date-fns 2.30's parseISO takes
// it, else milliseconds since 1970; returns `YYYY-MM-DD HH:mm:ss.SSS` in the zone of the CMS.
parser::Result<std::string> cast_datetime(std::string_view text);

} // namespace db
