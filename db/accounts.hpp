#pragma once

#include "db/mysql/connection.hpp"
#include "db/permissions.hpp"
#include "db/schema/schema.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Who may do what, as the CMS keeps it in its tables (users-permissions and API tokens of
// Strapi 4.26). Roles and tokens are granted what their rows list, as far as the schema has such an
// action.

namespace db {

struct User {
    std::string id; // as the column has it
    bool confirmed = false;
    bool blocked = false;
    std::shared_ptr<Permissions const> permissions; // of the role; null: the user has none
};

struct ApiToken {
    std::shared_ptr<Permissions const> permissions;
    std::optional<std::chrono::system_clock::time_point> expires_at;
};

struct Site {
    std::shared_ptr<Permissions const> public_role; // null: the role has no permission at all
    std::string default_locale;
    bool email_confirmation = false; // users must have confirmed their address
};

parser::Result<Site> read_site(Connection& connection, Schema const& schema);

// `id` is compared by MySQL, as the text that the caller's token holds.
parser::Result<std::optional<User>> read_user(Connection& connection, Schema const& schema,
                                              std::string_view id);

// `access_key` is the hash that the CMS stores of a token.
parser::Result<std::optional<ApiToken>> read_api_token(Connection& connection, Schema const& schema,
                                                       std::string_view access_key);

} // namespace db
