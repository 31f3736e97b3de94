#include "db/plan/bind.hpp"
#include "parser/query_reader.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

// Polymorphic relations are populated type by type, as Strapi 5.54 reads them.

BOOST_AUTO_TEST_SUITE(polymorphic)

namespace {

db::Schema const& example() {
    return *example_schema(db::Version::strapi5);
}

parser::Result<db::ReadPlan> bound(char const* uid, std::string const& query,
                                   db::Permissions const& permissions) {
    auto const typed = parser::read_query(parser::parse_query_string(query), db::strapi5.reading);
    return db::bind(typed, {.type = example().find(uid)}, example(), permissions, {}, {});
}

// The types whose entries are shown, or counted; "hidden" if the attribute is left out.
std::string shown(char const* uid, std::string const& query) {
    db::Permissions const permissions({"api::article.article.find", "api::product.product.find"});
    auto const plan = bound(uid, query, permissions);
    if (!plan) return plan.error().message;
    if (plan->nodes[0].branches.empty()) return "hidden";
    db::Node const& pairs = plan->nodes[plan->nodes[0].branches[0].node];
    std::string types = pairs.count ? "count" : "";
    for (std::uint32_t const target : pairs.targets)
        types.append(types.empty() ? "" : " ").append(plan->nodes[target].type->singular);
    return types;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_polymorphic_relation_is_asked_type_by_type) {
    struct {
        char const* asked; // of `related`
        char const* shown;
    } const table[] = {
        {"=true", "article product"},
        {"[on][api::article.article]=true", "article"},
        {"[on][api::article.article][fields]=title", "article"},
        {"[on][api::secret.secret]=true", "hidden"}, // not permitted
        {"[on][api::secret.secret]=true&populate[related][on][api::product.product]=true",
         "product"},
        {"=*", "hidden"},
        {"[populate]=*", "hidden"},
        {"[fields]=title", "hidden"},
        {"[count]=true", "count article product"},
    };
    for (auto const& [asked, expected] : table)
        BOOST_TEST(shown("api::comment.comment", std::string("populate[related]") + asked) ==
                       expected,
                   asked);
}

// Strapi 4.26 shows the products too.
BOOST_AUTO_TEST_CASE(a_relation_to_one_shows_no_type_that_is_not_named) {
    BOOST_TEST(shown("api::reaction.reaction",
                     "populate[subject][on][api::article.article]=true") == "article");
}

BOOST_AUTO_TEST_CASE(neither_what_refers_to_an_entry_polymorphically_nor_its_versions_are_counted) {
    struct {
        char const* type;
        char const* asked;
        bool counted;
    } const table[] = {
        {"api::product.product", "reactions", false},
        {"api::product.product", "bestReview", false},
        {"api::product.product", "images", false},
        {"api::article.article", "localizations", false},
        {"api::product.product", "tags", true},
        {"api::product.product", "variants", true},
    };
    for (auto const& [type, asked, counted] : table) {
        auto const plan = bound(type, std::string("populate[") + asked + "][count]=true",
                                db::Permissions(db::Permissions::Kind::full));
        BOOST_TEST_REQUIRE(plan.has_value());
        BOOST_TEST(plan->nodes[plan->nodes[0].branches[0].node].count == counted, asked);
    }
}

// Strapi 5.54 finds none where `fields` are named, since what says whose they are is none of them.
BOOST_AUTO_TEST_CASE(fields_of_what_refers_to_one_entry_cut_it_off) {
    struct {
        char const* asked;
        bool any;
    } const table[] = {
        {"populate[reactions]=true", true},
        {"populate[reactions][fields]=kind", false},
        {"populate[bestReview][fields]=kind", false},
        {"populate[images][fields]=url", true},
    };
    for (auto const& [asked, any] : table) {
        auto const plan =
            bound("api::product.product", asked, db::Permissions(db::Permissions::Kind::full));
        BOOST_TEST_REQUIRE(plan.has_value());
        auto const& where = plan->nodes[plan->nodes[0].branches[0].node].where;
        BOOST_TEST(where.always_true() == any, asked);
    }
}

BOOST_AUTO_TEST_SUITE_END()
