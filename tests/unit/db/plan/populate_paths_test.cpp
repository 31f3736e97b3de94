#include "db/plan/bind.hpp"
#include "db/plan/populated.hpp"
#include "parser/query_reader.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

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
        db::bind(parser::read_query(parser::parse_query_string(query), schema.cms.reading),
                 {.type = schema.find("api::article.article")}, schema, permissions, {}, {});
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
BOOST_DATA_TEST_CASE(what_the_caller_may_not_see_ends_a_path_or_all_of_it,
                     boost::unit_test::data::make(cases)) {
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
    db::Permissions const full(db::Permissions::AccessLevel::full);
    db::ApiOptions const options{.strict = true};
    parser::Limits const limits;
    db::BindContext context{schema, full, options, limits, schema.cms.rules};
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
