#include "db/cms/accounts.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(accounts)

namespace {

std::shared_ptr<db::Permissions const> granting(std::set<std::string, std::less<>> scopes) {
    return std::make_shared<db::Permissions const>(std::move(scopes));
}

} // namespace

// As Strapi 4.26 and 5.54 name them.
BOOST_AUTO_TEST_CASE(their_tables_are_those_of_the_version) {
    using Names = db::TableNames;
    auto const per_element = boost::test_tools::per_element();
    db::Schema schema;
    schema.cms = db::strapi4;
    BOOST_TEST(db::site_tables(schema) == (Names{"strapi_core_store_settings", "up_permissions",
                                                 "up_permissions_role_links", "up_roles"}),
               per_element);
    BOOST_TEST(db::user_tables(schema) == (Names{"up_permissions", "up_permissions_role_links",
                                                 "up_roles", "up_users", "up_users_role_links"}),
               per_element);
    BOOST_TEST(db::api_token_tables(schema) ==
                   (Names{"strapi_api_token_permissions",
                          "strapi_api_token_permissions_token_links", "strapi_api_tokens"}),
               per_element);
    schema.cms = db::strapi5;
    BOOST_TEST(db::site_tables(schema) == (Names{"strapi_core_store_settings", "up_permissions",
                                                 "up_permissions_role_lnk", "up_roles"}),
               per_element);
    BOOST_TEST(db::user_tables(schema) == (Names{"up_permissions", "up_permissions_role_lnk",
                                                 "up_roles", "up_users", "up_users_role_lnk"}),
               per_element);
    BOOST_TEST(db::api_token_tables(schema) ==
                   (Names{"strapi_api_token_permissions", "strapi_api_token_permissions_token_lnk",
                          "strapi_api_tokens"}),
               per_element);
}

BOOST_AUTO_TEST_CASE(sites_are_compared_by_what_they_say) {
    auto const find = "api::article.article.find";
    db::Site const site{granting({find}), "en", false};
    BOOST_CHECK((site == db::Site{granting({find}), "en", false}));
    BOOST_CHECK((db::Site{nullptr, "en", false} == db::Site{nullptr, "en", false}));
    db::Site const others[] = {
        {granting({find, "api::tag.tag.find"}), "en", false},
        {std::make_shared<db::Permissions const>(db::Permissions::AccessLevel::full), "en", false},
        {granting({}), "en", false},
        {nullptr, "en", false},
        {granting({find}), "de", false},
        {granting({find}), "en", true},
    };
    for (db::Site const& other : others) {
        BOOST_CHECK(site != other);
        BOOST_CHECK(other != site);
    }
}

BOOST_AUTO_TEST_SUITE_END()
