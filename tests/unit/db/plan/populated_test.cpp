#include "db/plan/populated.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>
#include <string>
#include <vector>

// The texts of `populate` are cut where the caller may not find all that they name: the entries of
// `linkedSecret`, `secretsOwned` and `faqs`.

BOOST_AUTO_TEST_SUITE(populate_paths)

namespace {

// author(avatar) seo …, as the branches of the plan stand.
std::string tree(db::ReadPlan const& plan, db::Node const& node) {
    std::string names;
    for (db::Branch const& branch : node.branches) {
        names.append(names.empty() ? "" : " ").append(branch.attribute->name);
        if (auto const below = tree(plan, plan.nodes[branch.node]); !below.empty())
            names.append("(").append(below).append(")");
    }
    return names;
}

template<db::Version version>
std::string populated(std::string const& query) {
    db::Permissions const permissions({"api::article.article.find", "api::author.author.find",
                                       "api::category.category.find", "api::tag.tag.find",
                                       "api::product.product.find", "api::comment.comment.find"});
    auto const& schema = *example_schema(version);
    auto const plan =
        bound(schema, {.type = schema.find("api::article.article")}, query, permissions);
    return plan ? tree(*plan, plan->nodes[0]) : plan.error().message;
}

struct Case {
    char const* query;
    char const* strapi4;
    char const* strapi5;
};
std::ostream& operator<<(std::ostream& out, Case const& sample) {
    return out << sample.query;
}

} // namespace

Case const cases[] = {
    {"populate=author.secretsOwned", "author", ""},
    {"populate=tags.articles.linkedSecret", "tags(articles)", ""},
    {"populate=faqs.category,seo", "", ""},
    {"populate=author.secretsOwned.owner,seo", "author", ""},
    // A text is cut at its commas after that, so what stands behind one is left as it is.
    {"populate=linkedSecret,category", "category", "category"},
    {"populate=seo,faqs.category", "seo", "seo"},
    {"populate=author.secretsOwned,seo", "author seo", "author seo"},
    {"populate=author.articles,author.secretsOwned", "author(articles)", "author(articles)"},
    // In a list.
    {"populate[]=linkedSecret.owner&populate[]=tags", "tags", "tags"},
    {"populate[]=author&populate[]=author.secretsOwned", "author", ""},
    {"populate[]=author.secretsOwned&populate[]=author", "author", "author"},
    {"populate[]=category.seo&populate[]=category", "category(seo)", "category"},
    {"populate[]=category&populate[]=category.seo", "category(seo)", "category(seo)"},
    // Below what has options.
    {"populate[author][populate]=articles.linkedSecret", "author(articles)", "author"},
    {"populate[author][populate][]=articles.linkedSecret", "author(articles)", "author"},
    // Dots and blanks.
    {"populate=.category", "", "category"},
    {"populate=..category.", "", "category"},
    {"populate=.linkedSecret", "", ""},
    {"populate=category.%20seo", "category(seo)", "category"},
    {"populate=category.seo%20", "category(seo)", "category(seo)"},
    {"populate=category%20.seo", "", ""},
};
BOOST_DATA_TEST_CASE(what_the_caller_may_not_see_ends_a_path_or_all_of_it, cases) {
    BOOST_TEST(populated<db::Version::strapi4>(sample.query) == sample.strapi4);
    BOOST_TEST(populated<db::Version::strapi5>(sample.query) == sample.strapi5);
}

BOOST_AUTO_TEST_CASE(beside_a_polymorphic_relation_strapi_5_leaves_what_stands_before) {
    // `related` of a comment may be of any type, and keeps a list from being made paths again.
    BOOST_TEST(populated<db::Version::strapi5>(
                   "populate[]=author.secretsOwned&populate[]=comments") == "comments");
    BOOST_TEST(populated<db::Version::strapi5>(
                   "populate[]=author.secretsOwned&populate[]=comments.related") ==
               "author comments(related)");
}

BOOST_AUTO_TEST_CASE(names_of_nothing_are_no_members) {
    auto const& schema = *example_schema();
    db::ApiOptions const options{.strict = true};
    parser::Limits const limits;
    db::BindContext context{schema, everything, options, limits, schema.cms.rules};
    parser::PopulateSet set;
    set.paths = {"nope,tags,no.pe, ,category.nope"};
    auto const& type = *schema.find("api::article.article");
    auto const named = db::named_members(context, set, type, {nullptr, "populate"});
    BOOST_TEST_REQUIRE(named.members.size() == 2U);
    BOOST_TEST(named.members[0].name == "tags");
    BOOST_TEST(named.members[1].name == "category");
    std::vector<std::string> const ignored = {"populate[nope]", "populate[no]"};
    BOOST_TEST(context.ignored == ignored, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

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
BOOST_DATA_TEST_CASE(the_example_is_walked_as_the_plugin_walks_it, walks) {
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
    auto const schema = project.load();
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
