#pragma once

#include "db/schema/layout.hpp"

namespace db {

// What of users and tokens depends on the version of the CMS.
//
// Strapi 4.26 takes a bearer for a user's JWT first, and 5.54 for an API token: no text is both, so
// that which is looked for first changes no answer.
struct AccountRules {
    // Which permissions a role has and where each stands among them, which role a user, which
    // permissions a token and where each stands among them.
    char const* permission_role;
    char const* permission_order;
    char const* user_role;
    char const* token_permission;
    char const* token_permission_order;
    // JWTs are taken that HS384 or HS512 signed, not those of HS256 alone.
    bool takes_longer_hashes;
};

AccountRules const& account_rules(Version version);

} // namespace db
