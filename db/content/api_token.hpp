#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <string>
#include <vector>

namespace db {

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
