#pragma once

#include "db/schema/schema.hpp"

#include <string>
#include <string_view>

namespace fcgi {

// Appends the JSON that Strapi 4.26 answers for a column: `cell` is the column's text as the
// database sends it over the text protocol, in UTF-8; one whose data() is null is NULL. Dates and
// times are read as UTC.
void append_scalar(std::string& out, db::AttributeType type, std::string_view cell);

} // namespace fcgi
