#pragma once

#include "db/content/mistakes.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

namespace db {

// Applies locales.json, {"default": "en", "list": [{"code": "en", "name": "English"}]}: adds the
// locales that are missing, renames the others, and sets the default one. Each member may be left
// out.
parser::Result<void> import_locales(Connection& connection, boost::json::value const& locales,
                                    Layout const& layout, Mistakes& mistakes);

// Applies access.json, {"public": ["api::article.article", "api::tag.tag.findOne"],
// "authenticated": […]}: grants the actions to the roles of these types. A type alone stands for
// its find and findOne. A role keeps what it was granted before.
parser::Result<void> import_access(Connection& connection, Schema const& schema,
                                   boost::json::value const& access, Mistakes& mistakes);

} // namespace db
