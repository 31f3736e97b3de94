#include "db/read/suggestions.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <vector>

// Articles have drafts and locales, categories and tags neither. In Strapi 4 the only index of
// their own columns is that of the slug, which is unique.

namespace {

using db::Version;

db::ReadPlan plan_of(std::string const& type, std::string const& query,
                     Version version = Version::strapi4) {
    auto const& schema = version == Version::strapi4 ? *example_schema() : *ks5_schema();
    db::ReadTarget const target{.type = schema.find("api::" + type + "." + type)};
    return bound(schema, target, query, everything, {.default_locale = "en"}).value();
}

std::string text_of(db::Index const& index) {
    std::string text = index.table + ":";
    for (auto const& [name, descending] : index.columns)
        text += ' ' + name + (descending ? "-" : "");
    return text;
}

std::vector<std::string> texts_of(std::vector<db::Suggestion> const& suggestions) {
    std::vector<std::string> texts;
    for (db::Suggestion const& suggestion : suggestions)
        texts.push_back(std::to_string(suggestion.asked) + ' ' + text_of(suggestion.index));
    return texts;
}

struct Wanted {
    char const* type;
    char const* query;
    std::vector<std::string> indexes;
};
std::ostream& operator<<(std::ostream& out, Wanted const& wanted) {
    return out << wanted.type << '?' << wanted.query;
}

Wanted const wanted[] = {
    // The primary key gives the order; the total is counted in the index.
    {"article", "", {"articles: id locale published_at"}},
    {"article", "locale=all", {"articles: id published_at"}},
    {"article", "publicationState=preview", {"articles: id locale"}},
    {"category", "", {}},
    // A sort by several keys, and one that is read backwards. The primary key is the last key.
    {"article", "sort=publishedAt:desc", {"articles: published_at- id locale"}},
    {"article", "sort=publishedAt", {"articles: published_at id locale"}},
    {"article", "sort[0]=publishedAt:desc&sort[1]=id:desc", {"articles: published_at id locale"}},
    {"article",
     "sort[0]=view_count:desc&sort[1]=title",
     {"articles: view_count- title id locale published_at"}},
    {"category", "sort=name", {"categories: name"}},
    {"category", "sort=name:desc", {"categories: name-"}},
    {"category", "sort=id:desc", {}},
    // No index has the values of related rows, or long texts.
    {"article", "sort=author.name", {"articles: id locale published_at"}},
    {"article", "sort=body", {"articles: id locale published_at"}},
    // Columns that are compared with one value come first, in any order of the URL.
    {"article",
     "filters[isFeatured]=true&sort=title",
     {"articles: is_featured title id locale published_at"}},
    {"article",
     "filters[view_count]=1&filters[isFeatured]=true",
     {"articles: is_featured view_count id locale published_at"}},
    {"article",
     "filters[view_count][$in][0]=1&filters[view_count][$in][1]=2",
     {"articles: view_count locale published_at"}},
    {"article",
     "filters[isFeatured]=true&sort=isFeatured",
     {"articles: is_featured id locale published_at"}},
    // A part of an index, and what is not one.
    {"article", "filters[view_count][$gt]=9", {"articles: view_count locale published_at"}},
    {"article", "filters[publishedAt][$lt]=2026-01-01", {"articles: published_at locale"}},
    {"article", "filters[title][$startsWith]=A", {"articles: title locale published_at"}},
    {"article", "filters[title][$contains]=A", {"articles: id locale published_at"}},
    {"article",
     "filters[view_count][$gt]=9&sort=title",
     {"articles: title id view_count locale published_at"}},
    {"article",
     "filters[$or][0][title]=a&filters[$or][1][view_count]=1",
     {"articles: id locale published_at"}},
    {"article", "filters[$not][title]=a", {"articles: id locale published_at"}},
    // One row, or hardly more.
    {"article", "filters[id]=3", {}},
    {"article", "filters[slug]=a&sort=title", {"articles: slug"}},
    // Related rows.
    {"article",
     "filters[category][order_no]=3",
     {"articles: id locale published_at", "categories: order_no"}},
    {"article", "filters[category][id]=3", {"articles: id locale published_at"}},
    {"tag", "filters[articles][category][name][$startsWith]=A", {"categories: name"}},
    // Inverse sides with a limit; the tag's own side and one without a limit have Strapi's indexes.
    {"category",
     "populate[articles][limit]=5",
     {"articles_category_links: category_id article_order article_id"}},
    {"category", "populate[articles][limit]=5&populate[articles][sort]=title", {}},
    {"category", "populate[articles][fields]=title", {}},
    {"category", "populate[articles][count]=true", {}},
    {"category", "populate[icon]=*", {}},
    {"article", "filters[id]=3&populate[tags][limit]=5", {}},
    // This list hangs below others.
    {"category",
     "filters[id]=3&populate[articles][populate][tags][populate][articles][limit]=2",
     {"articles_tags_links: tag_id article_order article_id"}},
};
BOOST_DATA_TEST_CASE(statements_want, wanted) {
    std::vector<std::string> texts;
    for (auto const& one : db::wanted_by(plan_of(sample.type, sample.query)))
        texts.push_back(text_of(one.index));
    BOOST_TEST(texts == sample.indexes, boost::test_tools::per_element());
}

// Strapi 5 has no unique index of a slug, and one of the document's id that begins with it.
Wanted const wanted_by_5[] = {
    {"article", "", {"articles: id locale published_at"}},
    {"article", "status=draft", {"articles: id locale published_at"}},
    {"article", "filters[slug]=a", {"articles: slug"}},
    {"article", "filters[documentId]=a", {"articles: document_id"}},
    {"category", "filters[slug]=a", {"categories: slug"}},
};
BOOST_DATA_TEST_CASE(statements_of_5_want, wanted_by_5) {
    std::vector<std::string> texts;
    for (auto const& one : db::wanted_by(plan_of(sample.type, sample.query, Version::strapi5)))
        texts.push_back(text_of(one.index));
    BOOST_TEST(texts == sample.indexes, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_index_serves_those_that_only_look_at_its_columns) {
    db::Suggestions suggestions;
    suggestions.add(plan_of("article", "locale=all"), 2, "/all");
    suggestions.add(plan_of("article", ""), 3, "/list");
    suggestions.add(plan_of("article", "filters[title][$startsWith]=A"), 4, "/title");
    suggestions.add(plan_of("article", "sort=title&locale=all"), 5, "/sorted");
    suggestions.add(plan_of("article", "filters[title]=A"), 6, "/equal");
    std::vector<std::string> const expected = {"15 articles: title id locale published_at",
                                               "5 articles: id locale published_at"};
    auto const least = suggestions.least({});
    BOOST_TEST(texts_of(least) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_exists_is_not_suggested) {
    db::Suggestions suggestions;
    suggestions.add(plan_of("article", "filters[slug]=a"), 1, "/slug");
    suggestions.add(plan_of("category", "sort=name"), 1, "/name");
    suggestions.add(plan_of("article", "sort=title"), 1, "/title");
    auto const exists = [](std::string table, std::vector<db::IndexColumn> columns, bool unique) {
        return db::ExistingIndex{{std::move(table), std::move(columns)}, "i", unique};
    };
    BOOST_TEST(suggestions.least({}).size() == 3);
    std::vector<db::ExistingIndex> const existing = {
        exists("articles", {{"slug"}}, true), exists("categories", {{"name"}, {"order_no"}}, false),
        exists("articles", {{"title"}}, false),
        exists("articles", {{"title", true}, {"id"}}, false)};
    std::vector<std::string> const expected = {"1 articles: title id locale published_at"};
    BOOST_TEST(texts_of(suggestions.least(existing)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_unique_index_over_some_of_the_compared_columns_is_enough) {
    db::Suggestions suggestions;
    suggestions.add(plan_of("category", "filters[name]=a&filters[order_no]=1"), 1, "/both");
    std::vector<db::ExistingIndex> existing = {{{"categories", {{"order_no"}}}, "i", false}};
    BOOST_TEST(suggestions.least(existing).size() == 1);
    existing[0].is_unique = true;
    BOOST_TEST(suggestions.least(existing).empty());
    existing[0].index.columns.push_back({"description"});
    BOOST_TEST(suggestions.least(existing).size() == 1);
}

} // namespace
