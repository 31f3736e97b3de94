#pragma once

#include "db/schema/schema.hpp"

#include <string>
#include <string_view>

namespace fcgi {

// Appends the JSON that Strapi 4.26 sends for a column: `cell` is the text of the column as the
// database sends it over the text protocol, in UTF-8. A cell whose data() is null is NULL.
// Datetimes are read in the time zone of the CMS (db/plan/time_zone.hpp).
void append_scalar(std::string& out, db::Attribute const& attribute, std::string_view cell);

// These are in stored_json.cpp.

// Appends the text of a JSON column as Strapi 4.26 sends it: read by JSON.parse and printed by
// JSON.stringify. So white space is dropped, numbers become doubles (null if out of range), of
// equal names the last value stays in the place of the first, and integer-like names come first.
//
// Strapi parses a column that its driver mysql2 has parsed already, so a string that contains JSON
// becomes that JSON ("123" becomes 123), but only once.
//
// Text that is not JSON, is nested deeper than 256 levels or has an exponent beyond 2^31 becomes a
// JSON string. The time is linear in the text, except for sorting names.
void append_stored_json(std::string& out, std::string_view json);

// Returns whether an object or array is written exactly as JSON.stringify writes it, so that
// reading it in JavaScript and writing it again changes no byte. The CMS stores JSON that way, and
// this check takes a tenth of the time of both.
//
// It returns false where it would have to look closer, as with keys that begin with a digit,
// numbers of many digits or objects of many members. UTF-8 is not checked: the server made it.
bool is_canonical_json(std::string_view json);

} // namespace fcgi
