#pragma once

#include "db/content/content_errors.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

// What is written into tables that the CMS has beside content: locales, what roles are granted, and
// API tokens.

namespace db {

// Applies locales.json, {"default": "en", "list": [{"code": "en", "name": "English"}]}: adds the
// locales that are missing, renames the others, and sets the default one. Each member may be left
// out.
parser::Result<void> import_locales(Connection& connection, boost::json::value const& locales,
                                    Layout const& layout, ContentErrors& errors);

// Applies access.json, {"public": ["api::article.article", "api::tag.tag.findOne"],
// "authenticated": […]}: grants the actions to the roles of these types. A type alone stands for
// its find and findOne. A role keeps what it was granted before.
parser::Result<void> import_access(Connection& connection, Schema const& schema,
                                   boost::json::value const& access, ContentErrors& errors);

// Return the text of such a locales.json, and of such an access.json, with what the schema serves.
parser::Result<std::string> locales_json(Connection& connection);
parser::Result<std::string> access_json(Connection& connection, Schema const& schema);

// An API token as the admin panel of Strapi 4.26 and 5.54 stores it: not the token, but its hash.
struct NewApiToken {
    std::string name; // unique
    std::string type; // read-only, full-access or custom
    std::string access_key;
    std::vector<std::string> actions; // granted to a custom token
};

// Stores all of it or nothing. Fails with `invalid` if a token already has the name. The columns of
// `schema` must be those of the database.
parser::Result<void> insert_api_token(Connection& connection, Schema const& schema,
                                      NewApiToken const& token);

struct ListedToken {
    std::string name;
    std::string type;
    std::string expires; // as the database writes it, UTC; empty: never
};

// Returns the tokens sorted by name.
parser::Result<std::vector<ListedToken>> list_api_tokens(Connection& connection);

// Deletes all of it or nothing. Fails with `invalid` if no token has the name.
parser::Result<void> delete_api_token(Connection& connection, Schema const& schema,
                                      std::string const& name);

} // namespace db
