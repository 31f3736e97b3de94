#pragma once

#include "db/schema/schema.hpp"

#include <string>
#include <string_view>

namespace fcgi {

// Appends the JSON that Strapi 4.26 sends for a column: `cell` is the text of the column as the
// database sends it over the text protocol, in UTF-8. A cell whose data() is null is NULL.
// Datetimes are read in the time zone of the CMS (db/plan/time_zone.hpp).
void append_scalar(std::string& out, db::Attribute const& attribute, std::string_view cell);

} // namespace fcgi
