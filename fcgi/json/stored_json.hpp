#pragma once

#include <string>
#include <string_view>

namespace fcgi {

// Appends the text of a JSON column as Strapi 4.26 answers it: read by JSON.parse and printed by
// JSON.stringify. So white space goes, numbers become doubles (what is out of range is null), of
// equal names the last value stays in the first's place, and integer-like names come first.
//
// Strapi parses a column that its driver mysql2 has parsed already, so a string that holds JSON
// comes out as that JSON ("123" as 123); once only.
//
// Text that is no JSON, is nested deeper than 256 levels or has an exponent beyond 2^31 comes out
// as a JSON string. Time is linear in the text, but for sorting names.
void append_stored_json(std::string& out, std::string_view json);

} // namespace fcgi
