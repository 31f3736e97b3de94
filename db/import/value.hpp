#pragma once

#include "db/schema/schema.hpp"
#include "db/sql/sql_text.hpp"

#include <boost/json/value.hpp>

namespace db {

// Appends `value` as a literal for the attribute's column. Nothing is converted that a reader could
// tell apart: what the column can't hold exactly is refused. Returns what was expected instead;
// empty: the value is good. null is good for every attribute.
//
// Dates and times are texts: `2024-05-17`, `08:30`, `08:30:15.250`, `2024-05-17T08:30:00.000Z`
// (with any offset; without one, by the clock of the CMS); a timestamp may also be milliseconds
// since 1970, as Strapi answers it. A `biginteger` may be a text of digits.
std::string append_value(SqlText& sql, Attribute const& attribute, boost::json::value const& value);

// What the type of the attribute asks of a text beside that its column can hold it: to be one of an
// enumeration's values, a UID, an e-mail address, a time within a day; of a password that it is the
// bcrypt hash of one. Empty: the value is that, or no text.
std::string expected_form(Attribute const& attribute, boost::json::value const& value);

} // namespace db
