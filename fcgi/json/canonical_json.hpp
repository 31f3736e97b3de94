#pragma once

#include <string_view>

namespace fcgi {

// Whether an object or array is written just as JSON.stringify writes it, so that reading it in
// JavaScript and writing it again changes no byte. That is how the CMS stores JSON, and to see that
// nothing is to be done costs a tenth of doing it.
//
// Cautious: false where it would take a closer look, as with keys that begin with a digit, numbers
// of many digits or objects of many members. UTF-8 is not checked: the server made it.
bool is_canonical_json(std::string_view json);

} // namespace fcgi
