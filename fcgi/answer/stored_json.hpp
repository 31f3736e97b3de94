#pragma once

#include <string>
#include <string_view>

namespace fcgi {

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

} // namespace fcgi
