#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

// Polymorphic relations are populated type by type, as Strapi 5.54 reads them.

BOOST_AUTO_TEST_SUITE(polymorphic)

namespace {

db::Schema const& example() {
    return *example_schema(db::Version::strapi5);
}

parser::Result<db::ReadPlan> plan_of(char const* uid, std::string const& query,
                                     db::Permissions const& permissions = everything,
                                     db::ApiOptions const& options = {}) {
    return bound(example(), {.type = example().find(uid)}, query, permissions, options);
}

// The types whose entries are shown, or counted; "hidden" if the attribute is left out.
std::string shown(char const* uid, std::string const& query,
                  db::Permissions const& permissions =
                      db::Permissions({"api::article.article.find", "api::product.product.find"}),
                  db::ApiOptions const& options = {}) {
    auto const plan = plan_of(uid, query, permissions, options);
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

BOOST_AUTO_TEST_CASE(a_component_is_shown_if_it_is_named_to_whoever_may_find_it) {
    auto const of_comments = [](char const* asked, db::Permissions const& permissions) {
        return shown("api::comment.comment", std::string("populate[related]") + asked, permissions);
    };
    BOOST_TEST(of_comments("[on][shared.seo]=true", everything) == "seo");
    BOOST_TEST(of_comments("[on][shared.seo][populate]=*", everything) == "seo");
    BOOST_TEST(of_comments("[on][shared.seo]=true", db::Permissions({"shared.seo.find"})) == "seo");
    BOOST_TEST(of_comments("[on][shared.seo]=true", {}) == "hidden");
    BOOST_TEST(of_comments("=true", db::Permissions({"shared.seo.find"})) == "");
}

// A zone keeps rows of components that were taken off its list.
BOOST_AUTO_TEST_CASE(a_zone_shows_components_that_it_does_not_list_where_it_has_such) {
    auto const of_pages = [](std::string const& asked, std::set<std::string> unlisted) {
        return shown("api::page.page", "populate[zone]" + asked, everything,
                     {.unlisted = std::move(unlisted)});
    };
    auto const listed = of_pages("=true", {});
    BOOST_TEST(listed != "");
    BOOST_TEST(of_pages("=true", {"shop.tier"}) == listed + " tier");
    BOOST_TEST(of_pages("=true", {"blocks.hero"}) == listed);
    BOOST_TEST(of_pages("=true", {"api::tag.tag", "shop.none"}) == listed);
    BOOST_TEST(of_pages("[on][shop.tier]=true", {}) == "tier");
    BOOST_TEST(of_pages("[on][blocks.hero]=true", {"shop.tier"}) == "hero");
    BOOST_TEST(of_pages("[on][api::tag.tag]=true", {}) == "");
}

// Strapi 5.54 hands out what refers to an entry polymorphically, and all below it, as it is stored.
BOOST_AUTO_TEST_CASE(the_locale_of_any_type_is_shown_behind_an_inverse_relation) {
    struct {
        char const* asked;
        bool shown; // by the last node
    } const table[] = {
        {"populate[reactions]=true", true},
        {"populate[reactions][populate][subject][on][api::tag.tag]=true", true},
        {"populate[reactions][populate][subject][on][api::tag.tag][fields]=name", false},
        {"populate[reactions][populate][subject][on][api::product.product][populate][tags]=true",
         true},
        {"populate[reactions][populate][subject][on][api::product.product][populate][images]=true",
         true},
        {"populate[tags]=true", false},
        {"populate[images]=true", false},
    };
    for (auto const& [asked, shown] : table) {
        auto const plan = plan_of("api::product.product", asked);
        BOOST_TEST_REQUIRE(plan.has_value(), asked);
        auto const& columns = plan->nodes.back().columns;
        bool const has_locale = std::ranges::any_of(
            columns, [](db::Attribute const* column) { return column->name == "locale"; });
        BOOST_TEST(has_locale == shown, asked);
    }
}

BOOST_AUTO_TEST_CASE(neither_what_refers_to_an_entry_polymorphically_nor_its_versions_are_counted) {
    std::tuple<char const*, char const*, bool> const table[] = {
        {"api::product.product", "reactions", false},
        {"api::product.product", "bestReview", false},
        {"api::product.product", "images", false},
        {"api::article.article", "localizations", false},
        {"api::product.product", "tags", true},
        {"api::product.product", "variants", true},
    };
    for (auto const& [type, asked, counted] : table) {
        auto const plan = plan_of(type, std::string("populate[") + asked + "][count]=true");
        BOOST_TEST_REQUIRE(plan.has_value());
        BOOST_TEST(plan->nodes[plan->nodes[0].branches[0].node].count == counted, asked);
    }
}

// Strapi 5.54 finds none where `fields` are named, since what says whose they are is none of them.
BOOST_AUTO_TEST_CASE(fields_of_what_refers_to_one_entry_cut_it_off) {
    std::pair<char const*, bool> const table[] = {
        {"populate[reactions]=true", true},
        {"populate[reactions][fields]=kind", false},
        {"populate[bestReview][fields]=kind", false},
        {"populate[images][fields]=url", true},
    };
    for (auto const& [asked, any] : table) {
        auto const plan = plan_of("api::product.product", asked);
        BOOST_TEST_REQUIRE(plan.has_value());
        auto const& where = plan->nodes[plan->nodes[0].branches[0].node].where;
        BOOST_TEST(where.always_true() == any, asked);
    }
}

BOOST_AUTO_TEST_SUITE_END()
