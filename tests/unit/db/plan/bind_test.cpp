#include "db/read/select.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"
#include "tests/unit/sample.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace {

// The kitchen-sink project; everything that is not said otherwise may be found.
struct Model {
    std::shared_ptr<db::Schema const> schema = example_schema();
    db::Permissions full = everything;
    db::ApiOptions options;
    parser::Limits limits;

    parser::Result<db::ReadPlan> bind(std::string const& query,
                                      std::string_view uid = "api::article.article",
                                      db::Action action = db::Action::find) const {
        return bound(*schema, {schema->find(uid), action, "1"}, query, full, options, limits);
    }
    // In the place of the one that cases share.
    db::Schema& own_schema() {
        auto const own = db::load_schema(PROJECTS "/ks").value();
        schema = own;
        return *own;
    }
    std::string refusal(std::string const& query) const {
        auto const plan = bind(query);
        return plan ? "none" : plan.error().message;
    }
};

std::size_t lines_with(std::string const& text, std::string const& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(binding, Model)

Sample const unknown_names[] = {
    {"fields=nope", "Invalid parameter nope"},
    {"fields=title,slug", "Invalid parameter title,slug"},
    {"fields=author", "Invalid parameter author"},
    {"fields=accessKey", "Invalid parameter accessKey"},
    {"fields=internalNote", "Invalid parameter internalNote"},
    {"filters[nope]=1", "Invalid parameter nope"},
    {"filters[$AND][0][title]=x", "Invalid parameter $AND"},
    {"filters[author][nope]=1", "Invalid parameter nope"},
    {"filters[accessKey]=x", "Invalid parameter accessKey"},
    {"filters[createdBy][id]=1", "Invalid parameter createdBy"},
    {"filters[id][foo]=1", "Invalid parameter foo"},
    {"filters[author][$eq][nope]=1", "Invalid parameter nope"},
    {"sort=nope", "Invalid parameter nope"},
    {"sort=author", "Invalid parameter author"},
    {"sort=author:desc", "Invalid parameter desc"},
    {"sort=secret_code", "Invalid parameter secret_code"},
    {"populate[tags][fields]=nope", "Invalid parameter nope"},
    {"populate[tags][filters][nope]=1", "Invalid parameter nope"},
};
BOOST_DATA_TEST_CASE_F(Model, a_name_that_may_not_be_used_is_refused_by_that_name, unknown_names) {
    BOOST_TEST(refusal(sample.text) == sample.expected);
}

Sample const priorities[] = {
    {"sort=nope1&filters[nope2]=1", "Invalid parameter nope2"},
    {"fields=nope1&sort=nope2", "Invalid parameter nope2"},
    {"populate[tags][sort]=nope1&fields=nope2", "Invalid parameter nope2"},
    {"filters[accessKey]=1&filters[nope]=2", "Invalid parameter nope"},
    {"sort=title:up&fields=nope", "Invalid parameter nope"},
    {"pagination[page]=x&fields=nope", "Invalid parameter nope"},
};
BOOST_DATA_TEST_CASE_F(Model, the_error_reported_is_the_one_strapi_finds_first, priorities) {
    BOOST_TEST(refusal(sample.text) == sample.expected);
}

Sample const bad_values[] = {
    {"filters[view_count]=x", "filters[view_count][$eq]: expected a number, received \"x\""},
    {"filters[author][id][$between]=1",
     "filters[author][id][$between]: expected a list of two values"},
    {"filters[$eq]=x", "filters[$eq]: expected an attribute to compare"},
    {"filters[author][$eq][$in]=1", "filters[author][$eq]: expected a value"},
    {"filters[metaJson][$jsonSupersetOf]=[{\"a\":1e400}]",
     "filters[metaJson][$jsonSupersetOf]: expected JSON"},
    {"locale[$eq][$in]=en", "locale[$eq]: expected a value"},
    {"filters[author][$not][$eq][$in]=1", "filters[author][$not][$eq]: expected a value"},
    {"filters[title][$or][0][$eq]=x", "filters[title][$or]: expected an operator and its value"},
    {"sort=title:up", "sort: expected asc or desc, received \"up\""},
    {"pagination[page]=1.5",
     "pagination[page]: expected a whole number below 2^53, received \"1.5\""},
    {"pagination[page]=1e20",
     "pagination[page]: expected a whole number below 2^53, received \"100000000000000000000\""},
    {"populate[author]", "populate[author]: expected true, false, * or options"},
    {"populate[]=*", "populate: expected a name, received \"*\""},
};
BOOST_DATA_TEST_CASE_F(Model, a_value_without_meaning_is_refused_by_its_place, bad_values) {
    BOOST_TEST(refusal(sample.text) == sample.expected);
}

char const* const ignored[] = {
    "populate=nope",
    "populate=title",
    "populate[title]=true",
    "populate[nope]",
    "populate=privateAuthor,createdBy",
    "filters[title][$foo]=x",
    "filters[created_at][$gt]=2020",
    "color=red",
};
BOOST_DATA_TEST_CASE_F(Model, what_means_nothing_is_ignored_and_refused_when_strict, ignored) {
    auto const plan = bind(sample);
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(plan->nodes.size() == 1u);
    BOOST_TEST(lines_with(dump(*plan), "x'78'") == 0u);
    options.strict = true;
    if (std::string(sample) != "populate[nope]") BOOST_TEST(!bind(sample).has_value());
}

BOOST_AUTO_TEST_CASE(a_relation_to_what_may_not_be_found_is_left_out_but_refused_in_filters) {
    full = db::Permissions({"api::article.article.find", "api::tag.tag.find"});
    auto const plan = bind("populate=tags,author");
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(plan->nodes.size() == 2u);
    BOOST_TEST(refusal("filters[author][name]=x") == "Invalid parameter author");
    BOOST_TEST(refusal("sort=author.name") == "Invalid parameter author");
    BOOST_TEST(bind("filters[tags][name]=x").has_value());
}

BOOST_AUTO_TEST_CASE(private_attributes_passwords_and_editors_are_in_no_plan) {
    std::string const text = dump(bind("populate=*").value());
    for (char const* name : {"accessKey", "internalNote", "secret_code", "createdBy", "updatedBy",
                             "privateAuthor", "privateSeo", "hiddenFile"})
        BOOST_TEST(lines_with(text, name) == 0u, name);
}

BOOST_AUTO_TEST_CASE(media_that_are_read_alike_share_a_node) {
    BOOST_TEST(bind("populate=cover,gallery,attachments")->nodes.size() == 2u);
    BOOST_TEST(bind("populate[cover][fields]=url&populate[gallery][fields]=url")->nodes.size() ==
               2u);
    BOOST_TEST(bind("populate[cover][fields]=url&populate[gallery]=true")->nodes.size() == 3u);
    BOOST_TEST(bind("populate[cover]=true&populate[gallery][limit]=1")->nodes.size() == 3u);
}

BOOST_AUTO_TEST_CASE(live_reaches_every_level_until_a_fragment_or_another_state) {
    auto const published = [&](char const* query, char const* uid) {
        return lines_with(dump(bind(query, uid).value()), "`published_at` IS NOT NULL");
    };
    char const* const article = "api::article.article";
    BOOST_TEST(published("", article) == 1u);
    BOOST_TEST(published("publicationState=preview", article) == 0u);
    BOOST_TEST(published("populate=relatedArticles.relatedArticles", article) == 3u);
    BOOST_TEST(published("populate[relatedArticles][publicationState]=preview"
                         "&populate[relatedArticles][populate]=relatedArticles",
                         article) == 1u);
    BOOST_TEST(published("populate[zone][on][blocks.related-articles][populate]=articles",
                         "api::page.page") == published("", "api::page.page"));
}

BOOST_AUTO_TEST_CASE(an_entry_by_id_is_read_in_any_state_and_language) {
    std::string const text = dump(bind("locale=fr&filters[title]=x&populate=relatedArticles",
                                       "api::article.article", db::Action::find_one)
                                      .value());
    BOOST_TEST(lines_with(text, "published_at` IS NOT NULL") == 0u);
    BOOST_TEST(lines_with(text, "`locale` =") == 0u);
    BOOST_TEST(lines_with(text, "`title` =") == 0u);
    BOOST_TEST(lines_with(text, "`id` = _utf8mb4 x'31'") == 1u);
}

// Strapi 4.26.2 was seen to find this for each.
Sample const same_conditions[] = {
    {"filters[$and][0][0][title]=x", "filters[title]=x"},
    {"filters[$or][0][0][title]=x&filters[$or][0][1][slug]=y",
     "filters[$or][0][title]=x&filters[$or][0][slug]=y"},
    {"filters[$not][0][0][title]=x", "filters[$not][title]=x"},
    {"filters[title][$not][0][$eq]=x", "filters[title][$not][$eq]=x"},
    {"filters[title][$not][0][0]=x", "filters[title][$not][$in]=x"},
};
BOOST_DATA_TEST_CASE_F(Model, a_list_in_a_list_of_conditions_holds_where_all_of_it_do,
                       same_conditions) {
    BOOST_TEST(dump(bind(sample.text).value()) == dump(bind(sample.expected).value()));
}

struct Limit {
    char const* name;
    char const* at;
    char const* past;
};
std::ostream& operator<<(std::ostream& out, Limit const& limit) {
    return out << limit.name;
}
Limit const limits_of_two[] = {
    {"plan-nodes-limit", "populate=tags", "populate=tags,author"},
    {"filter-terms-limit", "filters[title]=a&filters[slug]=b",
     "filters[title]=a&filters[slug]=b&filters[body]=c"},
    {"filter-hops-limit", "filters[author][articles][title]=x",
     "filters[author][articles][author][name]=x"},
    {"list-values-limit", "filters[title][0]=a&filters[title][1]=b",
     "filters[title][0]=a&filters[title][1]=b&filters[title][2]=c"},
};
BOOST_DATA_TEST_CASE_F(Model, a_query_at_a_limit_is_bound_and_one_past_it_refused_by_its_name,
                       limits_of_two) {
    limits.plan_nodes = limits.filter_terms = limits.filter_hops = limits.list_values = 2;
    BOOST_TEST(refusal(sample.at) == "none");
    BOOST_TEST(refusal(sample.past) == std::string("The request is over ") + sample.name + " (2)");
}

BOOST_AUTO_TEST_CASE(a_sort_path_counts_its_relations_too) {
    limits.filter_hops = 2;
    BOOST_TEST(refusal("sort=author.articles.title") == "none");
    BOOST_TEST(refusal("sort=author.articles.author.name") ==
               "The request is over filter-hops-limit (2)");
}

BOOST_AUTO_TEST_CASE(a_sort_path_has_a_limit_of_its_own) {
    limits.sort_hops = 2;
    BOOST_TEST(refusal("sort=author.articles.title") == "none");
    BOOST_TEST(refusal("filters[author][articles][author][name]=x") == "none");
    BOOST_TEST(refusal("sort=author.articles.author.name") ==
               "The request is over sort-hops-limit (2)");
}

Sample const pages[] = {
    {"", "start 0 limit 25"},
    {"pagination[page]=3&pagination[pageSize]=10", "start 20 limit 10"},
    {"pagination[pageSize]=1000", "start 0 limit 100"},
    {"pagination[pageSize]=0", "start 0 limit 1"},
    {"pagination[page]=-1", "start 0 limit 25"},
    {"pagination[start]=5&pagination[limit]=7", "start 5 limit 7"},
    {"pagination[limit]=-1", "start 0 limit 100"},
    {"pagination[limit]=-5", "start 0 limit 1"},
};
BOOST_DATA_TEST_CASE_F(Model, pages_are_cut_as_strapi_cuts_them, pages) {
    std::string const text = dump(bind(sample.text).value());
    BOOST_TEST(lines_with(text, sample.expected) == 1u, text);
}

BOOST_AUTO_TEST_CASE(page_and_offset_together_are_refused) {
    BOOST_TEST(refusal("pagination[page]=1&pagination[start]=0") ==
               "Invalid pagination parameters. Expected either start/limit or page/pageSize");
    BOOST_TEST(refusal("page=1") == "Invalid pagination attributes. You cannot use page and offset "
                                    "pagination in the same query");
}

BOOST_AUTO_TEST_CASE(a_query_that_was_cut_is_refused_when_it_filters) {
    std::string parts;
    for (int i = 0; i < 1'000; ++i)
        parts += "&x" + std::to_string(i) + "=1";
    BOOST_TEST(refusal("fields=title" + parts) == "none");
    BOOST_TEST(refusal("filters[title]=x" + parts) ==
               "The request is over the parts of a query string that qs reads (1000)");
}

BOOST_AUTO_TEST_CASE(deep_is_the_plugins_word_or_ours_where_there_is_no_cms) {
    auto const nodes = [&] { return bind("populate=deep,2", "api::tag.tag").value().nodes.size(); };
    BOOST_TEST(nodes() == 1u);
    options.strict = true;
    BOOST_TEST(refusal("populate=deep") == "Nothing would come of populate[deep].");
    auto& own = own_schema();
    own.has_cms = false;
    BOOST_TEST(nodes() == 3u);
    own.has_cms = true;
    own.dependencies["strapi-plugin-populate-deep"] = "^3.0.1";
    BOOST_TEST(nodes() == 3u);
}

struct DeepCase {
    char const* query;
    unsigned levels;
};
std::ostream& operator<<(std::ostream& out, DeepCase const& c) {
    return out << c.query;
}
DeepCase const depths[] = {
    {"populate=deep,1", 0},
    {"populate=deep,2", 1},
    {"populate=deep,3", 2},
    {"populate=deep,2.5", 2},
    {"populate= deep , 0x3 ", 2},
    {"populate=deep,3,author", 2},
    {"populate=deep,", 0},
    {"populate=deep,-1", 0},
    {"populate=deep", 2}, // default-depth is 3 here
    {"populate[0]=deep&populate[1]=2", 1},
    {"populate[0]=deep,2", 1},
    {"populate[0]=deep&populate[1]=deep", 2},
    {"populate=category,deep", 1}, // of these, a category alone is populated
    {"populate[deep]=true", 0},
    {"populate[category][populate]=deep", 1},
};
BOOST_DATA_TEST_CASE_F(Model, deep_has_one_level_less_than_its_depth, depths) {
    own_schema().dependencies["strapi-plugin-populate-deep"] = "3.0.1";
    options.default_depth = 3;
    auto const plan = bind(sample.query, "api::faq.faq").value();
    unsigned deepest = 0;
    for (std::uint32_t i = 1; i < plan.nodes.size(); ++i) {
        unsigned levels = 0;
        for (std::uint32_t at = i; at != 0; at = plan.nodes[at].parent)
            ++levels;
        deepest = std::max(deepest, levels);
    }
    BOOST_TEST(deepest == sample.levels);
}

BOOST_AUTO_TEST_CASE(deep_shows_no_more_than_naming_it_all_would) {
    own_schema().has_cms = false;
    options.strict = true; // nobody named what is left out
    std::string const text = dump(bind("populate=deep,2").value());
    for (char const* name : {"createdBy", "updatedBy", "privateAuthor", "privateSeo", "hiddenFile"})
        BOOST_TEST(lines_with(text, name) == 0u, name);
    full = db::Permissions({"api::tag.tag.find"});
    BOOST_TEST(lines_with(dump(bind("populate=deep,3", "api::tag.tag").value()), "articles") == 0u);
    BOOST_TEST(refusal("populate=deep,2,author") == "Nothing would come of populate[author].");
}

BOOST_AUTO_TEST_CASE(deep_is_refused_beyond_the_limits_and_without_a_number) {
    own_schema().has_cms = false;
    BOOST_TEST(refusal("populate=deep,two") == "populate: expected deep, or deep,N");
    BOOST_TEST(refusal("populate=deep,Infinity") == "The request is over plan-nodes-limit (500)");
    limits.plan_nodes = 10;
    BOOST_TEST(refusal("populate=deep,3") == "The request is over plan-nodes-limit (10)");
}

BOOST_AUTO_TEST_SUITE_END()
