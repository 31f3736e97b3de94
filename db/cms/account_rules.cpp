#include "db/cms/account_rules.hpp"

namespace db {

namespace {

constexpr AccountRules strapi4{.permission_role = "up_permissions_role_links",
                               .permission_order = "permission_order",
                               .user_role = "up_users_role_links",
                               .token_permission = "strapi_api_token_permissions_token_links",
                               .token_permission_order = "api_token_permission_order",
                               .takes_longer_hashes = true};

constexpr AccountRules strapi5{.permission_role = "up_permissions_role_lnk",
                               .permission_order = "permission_ord",
                               .user_role = "up_users_role_lnk",
                               .token_permission = "strapi_api_token_permissions_token_lnk",
                               .token_permission_order = "api_token_permission_ord",
                               .takes_longer_hashes = false};

} // namespace

AccountRules const& account_rules(Version version) {
    return version == Version::strapi4 ? strapi4 : strapi5;
}

} // namespace db
