#include "fcgi/access/route.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

BOOST_AUTO_TEST_SUITE(route)

namespace {

struct Case {
    char const* segment;
    char const* id;
};

std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.segment;
}

} // namespace

Case const ids[] = {
    {"1", "1"},     {"a%20b", "a b"},   {"%F0%9F%98%80", "\U0001F600"},
    {"%FF", "%FF"}, {"\xFF", "\uFFFD"}, {"1\xE2\x82%20", "1\uFFFD "},
};

// A statement with other bytes would be an error of the database.
BOOST_DATA_TEST_CASE(an_id_is_decoded_and_always_utf8, ids) {
    auto const schema = example_schema();
    std::string const path = std::string("/api/articles/") + sample.segment;
    BOOST_TEST(fcgi::find_route(path, "/api", *schema).target.id == sample.id);
}

// A page of files is a route of Strapi 5.54; 4.26 looks for the file with that id.
BOOST_AUTO_TEST_CASE(files_have_the_routes_of_their_version) {
    using fcgi::ResponseForm;
    auto const strapi4 = example_schema();
    auto const strapi5 = example_schema(db::Version::strapi5);
    struct {
        db::Schema const& schema;
        char const* path;
        ResponseForm form;
        char const* scope;
        char const* id;
        bool plain;
    } const table[] = {
        {*strapi4, "/api/upload/files", ResponseForm::plain, "find", "", true},
        {*strapi4, "/api/upload/files/7", ResponseForm::plain, "findOne", "7", true},
        {*strapi4, "/api/upload/files/page", ResponseForm::plain, "findOne", "page", true},
        {*strapi5, "/api/upload/files", ResponseForm::files, "find", "", true},
        {*strapi5, "/api/upload/files/7", ResponseForm::files, "findOne", "7", true},
        {*strapi5, "/api/upload/files/page", ResponseForm::files, "findPage", "", false},
    };
    for (auto const& [schema, path, form, scope, id, plain] : table)
        BOOST_TEST_CONTEXT(path) {
            auto const route = fcgi::find_route(path, "/api", schema);
            BOOST_TEST_REQUIRE(route.kind);
            BOOST_TEST((route.kind->form == form));
            BOOST_TEST(route.scope == std::string("plugin::upload.content-api.") + scope);
            BOOST_TEST(schema.actions.contains(route.scope));
            BOOST_TEST(route.target.id == id);
            BOOST_TEST(route.target.plain == plain);
        }
}

namespace {

// The example's schema with what a description says of these actions.
struct DescribedFixture {
    db::DescribedAction& action(std::string const& uid, std::string const& name) {
        return schema->types.at(uid)->actions[name];
    }
    fcgi::Route route(std::string const& path) {
        return fcgi::find_route("/api/" + path, "/api", *schema);
    }

    std::shared_ptr<db::Schema> const schema = db::load_schema(PROJECTS "/ks").value();
};

} // namespace

// No other route takes its place.
BOOST_FIXTURE_TEST_CASE(an_action_that_is_handed_over_has_no_route, DescribedFixture) {
    struct {
        char const* uid;
        char const* action;
        char const* handed_over;
        char const* served;
    } const table[] = {
        {"api::article.article", "find", "articles", "articles/1"},
        {"api::article.article", "findOne", "articles/1", "articles"},
        {"api::homepage.homepage", "find", "homepage", "articles/2"},
        {"plugin::users-permissions.user", "me", "users/me", "users/1"},
        {"plugin::users-permissions.user", "count", "users/count", "users"},
        {"plugin::upload.file", "find", "upload/files", "upload/files/1"},
        {"plugin::i18n.locale", "find", "i18n/locales", "users-permissions/roles"},
    };
    for (auto const& [uid, name, handed_over, served] : table) {
        BOOST_TEST_CONTEXT(handed_over) {
            DescribedFixture described;
            described.action(uid, name).handed_over = "a reason";
            BOOST_TEST(!described.route(handed_over).kind);
            BOOST_TEST(described.route(served).kind);
            for (auto const& [path, route] : fcgi::served_routes(*described.schema))
                BOOST_TEST(path != handed_over);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_route_has_the_effect_of_its_middlewares, DescribedFixture) {
    auto& effect = action("api::article.article", "find").effect;
    BOOST_TEST(!route("articles").effect);
    effect.dropped = {"sort"};
    BOOST_TEST((route("articles").effect == &effect));
    BOOST_TEST(!route("articles/1").effect);
    action("api::article.article", "findOne").parameters = {{"fields"}};
    BOOST_TEST(*route("articles/1").let_through == std::vector<std::string>{"fields"});
}

// A read-only token has the actions that end with find or findOne, and findPage does not.
BOOST_AUTO_TEST_CASE(a_read_only_token_may_not_see_pages_of_files) {
    db::Permissions const read_only(db::Permissions::AccessLevel::read_only);
    BOOST_TEST(read_only.grants("plugin::upload.content-api.find"));
    BOOST_TEST(!read_only.grants("plugin::upload.content-api.findPage"));
}

BOOST_AUTO_TEST_SUITE_END()
