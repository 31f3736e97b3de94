#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

namespace db {

// Appends the comma that another value of a list needs.
inline SqlText& next_value(SqlText& list) {
    return list.empty() ? list : list << ", ";
}

// Appends `value` as a literal for the attribute's column. No conversion is made that a reader
// could notice: a value that the column can't hold exactly is refused. Returns what was expected
// instead; empty if the value is good. null is good for every attribute.
//
// Dates and times are texts: `2024-05-17`, `08:30`, `08:30:15.250`, `2024-05-17T08:30:00.000Z`
// (with any offset; without one, in the time zone of the CMS); a timestamp may also be milliseconds
// since 1970, as in Strapi's responses. A `biginteger` may be a text of digits.
std::string append_value(SqlText& sql, Attribute const& attribute, boost::json::value const& value);

// Returns what the attribute's type requires of a text that its column could hold: one of an
// enumeration's values, a UID, an e-mail address, a time within a day, a password's bcrypt hash.
// Empty if the value is that, or not a text.
std::string expected_form(Attribute const& attribute, boost::json::value const& value);

} // namespace db
