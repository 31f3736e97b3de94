#pragma once

#include <string_view>

namespace fcgi {

// Returns whether an object or array is written exactly as JSON.stringify writes it, so that
// reading it in JavaScript and writing it again changes no byte. The CMS stores JSON that way, and
// this check takes a tenth of the time of both.
//
// It returns false where it would have to look closer, as with keys that begin with a digit,
// numbers of many digits or objects of many members. UTF-8 is not checked: the server made it.
bool is_canonical_json(std::string_view json);

} // namespace fcgi
