#include "db/plan/populated.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>

// Expected is what the function of strapi-plugin-populate-deep 3.0.1 returned for the same schema.

BOOST_AUTO_TEST_SUITE(deep_populate)

namespace {

// The names of the walk, as written in a query's dump.
std::string walk(db::ContentType const& type, double depth, std::size_t plan_nodes = 500) {
    parser::Query query;
    auto set = db::deep_populate(type, depth, plan_nodes);
    if (!set) return "too much";
    query.selection.populate = *std::move(set);
    return dump(query);
}

struct Case {
    char const* uid;
    double depth;
    char const* expected;
};

std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.uid << ' ' << c.depth;
}

} // namespace

Case const walks[] = {
    {"api::tag.tag", 0, ""},
    {"api::tag.tag", 1, ""},
    {"api::tag.tag", 2, "populate(articles products createdBy updatedBy)"},
    // Editors are named on the last level alone, and a relation `articles` nowhere below the
    // collection of that name.
    {"api::faq.faq", 3,
     "populate(category(populate(icon articles products seo createdBy updatedBy)))"},
    {"api::profile.profile", 3,
     "populate(author(populate(avatar articles coArticles secretsOwned profile account mentor "
     "address socials createdBy updatedBy)))"},
    {"plugin::upload.file", 3, "populate(folder(populate(parent children createdBy updatedBy)))"},
    // A relation that may lead to any type ends there; the plugin itself fails one level further.
    {"api::comment.comment", 2, "populate(related createdBy updatedBy)"},
    // Zones have what any of their components has.
    {"api::page.page", 3,
     "populate(zone(populate(image cta author draftSource images links articles tags category rows "
     "background columns metaImage metaSocial)) sidebar(populate(author draftSource links)) "
     "privateZone(populate(author draftSource)) mainHero(populate(image cta)) "
     "seo(populate(metaImage metaSocial)) parentPage(populate(zone sidebar privateZone mainHero "
     "seo "
     "parentPage childPages createdBy updatedBy localizations)) childPages(populate(zone sidebar "
     "privateZone mainHero seo parentPage childPages createdBy updatedBy localizations)) "
     "localizations)"},
};
BOOST_DATA_TEST_CASE(the_example_is_walked_as_the_plugin_walks_it,
                     boost::unit_test::data::make(walks)) {
    auto const schema = example_schema();
    BOOST_TEST(walk(*schema->find(sample.uid), sample.depth) == sample.expected);
}

BOOST_AUTO_TEST_CASE(components_of_a_zone_are_merged_and_the_later_of_them_says_how_far) {
    TemporaryProject project;
    project.component("c", "a", R"("x": {"type": "component", "component": "c.inner"})")
        .component("c", "b", R"("x": {"type": "media"})")
        .component("c", "inner", R"("picture": {"type": "media"})")
        .type("page", R"("first": {"type": "dynamiczone", "components": ["c.a", "c.b"]},
                         "then": {"type": "dynamiczone", "components": ["c.b", "c.a"]},
                         "pages": {"type": "relation", "relation": "oneToMany",
                                   "target": "api::page.page"},
                         "self": {"type": "relation", "relation": "oneToOne",
                                  "target": "api::page.page"})");
    auto const schema = db::load_schema(project.folder()).value();
    auto const& page = *schema->find("api::page.page");
    BOOST_TEST(walk(page, 4) == "populate(first(populate(x)) then(populate(x(populate(picture)))) "
                                "self(populate(first(populate(x)) then(populate(x)) "
                                "self(populate(first then self createdBy updatedBy)))))");
    BOOST_TEST(walk(page, 2.5) == walk(page, 3));
}

BOOST_AUTO_TEST_CASE(a_walk_without_end_is_given_up) {
    auto const schema = example_schema();
    auto const& node = *schema->find("api::node.node");
    BOOST_TEST(walk(node, 3) != "too much");
    BOOST_TEST(walk(node, 3, 2) == "too much");
    BOOST_TEST(walk(node, std::numeric_limits<double>::infinity()) == "too much");
    // One relation that leads to its own type, over and over.
    BOOST_TEST(walk(*schema->find("api::faq.faq"), 1e9) == "too much");
}

BOOST_AUTO_TEST_SUITE_END()
