#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/permissions.hpp"
#include "db/schema/schema.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reads who may do what from the tables of the CMS (users-permissions and API tokens of Strapi 4.26
// and 5.54). Roles and tokens are granted what their rows list, as far as the schema has such an
// action.

namespace db {

struct User {
    std::string id; // as the column has it
    bool confirmed = false;
    bool blocked = false;
    std::shared_ptr<Permissions const> permissions; // of the role; null: the user has none
    std::string role = {};                          // its name, for people
};

// Strapi 5.54: the content API accepts API tokens of this kind, and those without a kind.
inline constexpr std::string_view content_kind = "content-api";

struct ApiToken {
    std::shared_ptr<Permissions const> permissions;
    std::optional<std::chrono::system_clock::time_point> expires_at;
    std::string name = {};     // for people, with its type: `read-only API token "site"`
    bool is_for_admin = false; // not of content_kind: the content API refuses it
};

struct Site {
    std::shared_ptr<Permissions const> public_role; // null: the role has no permissions
    std::string default_locale;
    bool email_confirmation = false; // users must have confirmed their address
};
// Two roles are equal if they have the same permissions.
bool operator==(Site const& left, Site const& right);

// Each read that has a …_tables() depends on the tables that this returns, and on no others.
parser::Result<Site> read_site(Connection& connection, Schema const& schema);
TableNames site_tables(Schema const& schema);

// Reads it from the settings, as Strapi 4.26 does: `en` if they have none.
parser::Result<std::string> read_default_locale(Connection& connection);

// MySQL compares `id` with the column, as the text that the caller's token holds.
parser::Result<std::optional<User>> read_user(Connection& connection, Schema const& schema,
                                              std::string_view id);
TableNames user_tables(Schema const& schema);

// How many users and API tokens the CMS has.
struct Credentials {
    std::uint64_t users = 0;
    std::uint64_t api_tokens = 0;
};
parser::Result<Credentials> count_credentials(Connection& connection);

// Returns the codes of the locales that the CMS has.
parser::Result<std::vector<std::string>> read_locales(Connection& connection);

// `access_key` is the hash that the CMS stores for a token.
parser::Result<std::optional<ApiToken>> read_api_token(Connection& connection, Schema const& schema,
                                                       std::string_view access_key);
TableNames api_token_tables(Schema const& schema);

} // namespace db
