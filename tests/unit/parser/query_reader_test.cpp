#include "parser/query_reader.hpp"
#include "tests/unit/sample.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(query_reader)

namespace {

// As Strapi 4.26 reads.
constexpr parser::QueryRules reading{.balances_brackets = false,
                                     .all_locales = "all",
                                     .empty_locale_is_default = false,
                                     .has_status = false,
                                     .has_publication_filter = false,
                                     .splits_fields = false,
                                     .unites_populates = true,
                                     .blank_says_nothing = false,
                                     .numbers_may_be_nan = false};

parser::Query read(std::string const& query) {
    return parser::read_query(parser::parse_query_string(query), reading);
}

} // namespace

Sample const fields[] = {
    {"", ""},
    {"fields=title", "fields(title)"},
    {"fields[0]=title&fields[1]=slug", "fields(title slug)"},
    {"fields=title&fields=slug", "fields(title slug)"},
    {"fields=%20title%0a", "fields(title)"},
    {"fields=a,b", "fields(a,b)"},
    {"fields=%20aNameThatNoShortStringHolds", "fields(aNameThatNoShortStringHolds)"},
    {"fields=*", ""},
    {"fields", ""},
};
BOOST_DATA_TEST_CASE(fields_are_names_in_the_order_asked_for, fields) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

Sample const sorts[] = {
    {"sort=title", "sort(title)"},
    {"sort=title:DESC, slug", "sort(title:desc slug)"},
    {"sort[0]=author.name:desc&sort[1]=id", "sort(author.name:desc id)"},
    {"sort[author][name]=desc&sort[id]=asc", "sort(author.name:desc id)"},
    {"sort[0][title]=asc", "sort(title)"},
    {"sort=category..name", "sort(category.name)"},
    {"sort=title:asc:more", "sort(title)"},
    {"sort=,", ""},
    {"sort=__proto__", ""},
    {"sort[0]=a&sort[1][b]=asc", "sort(0)"},
};
BOOST_DATA_TEST_CASE(every_form_of_sort_is_a_list_of_paths, sorts) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

Sample const populates[] = {
    {"populate=*", "populate(*)"},
    {"populate=author,tags", "populate(author,tags)"},
    {"populate[0]=author&populate[1]=tags", "populate(author tags)"},
    {"populate=author.avatar&populate=author.books", "populate(author.avatar author.books)"},
    {"populate[author]=true&populate[tags]=0&populate[seo]=", "populate(author)"},
    {"populate[author][fields][0]=name", "populate(author(fields(name)))"},
    {"populate[author][populate]=*", "populate(author(populate(*)))"},
    {"populate[zone][on][a.b]=true", "populate(zone(on(a.b)))"},
    {"populate[zone][on][a.b]=false", "populate(zone(on(a.b)))"},
    {"populate[tags][limit]=2&populate[tags][start]=1", "populate(tags(start(1) limit(2)))"},
    {"populate[tags][limit]=-1", "populate(tags)"},
    {"populate[tags][count]=t", "populate(tags(count))"},
    {"populate[tags][ordering]=desc", "populate(tags(ordering(desc)))"},
    {"populate[tags][publicationState]=preview", "populate(tags(preview))"},
    {"populate[tags][filters][name][$eq]=x&populate[tags][sort]=name:desc",
     "populate(tags(filters(name($eq(\"x\"))) sort(name:desc)))"},
    {"populate=deep,3", "populate(deep(3) deep,3)"},
    {"populate=deep", "populate(deep() deep)"},
    {"populate", ""},
};
BOOST_DATA_TEST_CASE(every_form_of_populate_is_a_tree_of_names, populates) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

Sample const mixed[] = {
    {"populate[author][fields]=name&populate=tags", "populate(tags author(fields(name)))"},
    {"populate=tags&populate[author]=true", "populate(tags author)"},
    {"populate[a]=true&populate=b&populate[c]=true", "populate(b a c)"},
    {"populate[0]=a&populate[b]=true", "populate(a b)"},
    {"populate[101]=a", "populate(a)"},
};
BOOST_DATA_TEST_CASE(mixed_forms_of_populate_are_their_union, mixed) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

Sample const filters[] = {
    {"filters[title]=x", "filters(title($eq(\"x\")))"},
    {"filters[title][$eq]=x", "filters(title($eq(\"x\")))"},
    {"filters[title]", "filters(title($eq(null)))"},
    {"filters[title][0]=x&filters[title][1]=y", "filters(title($in(\"x\" \"y\")))"},
    {"filters[title][$in]=x", "filters(title($in(\"x\")))"},
    {"filters[a][b][$gt]=1", "filters(a(b($gt(\"1\"))))"},
    {"filters[$or][0][a]=1&filters[$or][1][b]=2", "filters($or(a($eq(\"1\")) b($eq(\"2\"))))"},
    {"filters[$not][a]=1", "filters($not(a($eq(\"1\"))))"},
    {"filters[a][$EQ]=1", "filters(a($EQ($eq(\"1\"))))"},
    {"filters", ""},
};
BOOST_DATA_TEST_CASE(filters_are_conditions_on_names, filters) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

// Strapi 4.26.2 was seen to make this of each.
Sample const lists_in_lists[] = {
    {"filters[id][$in][0][0]=1", "filters(id($in(\"1\")))"},
    {"filters[id][$in][0][0]=1&filters[id][$in][1]=2", "filters(id($in(\"1\" \"2\")))"},
    {"filters[id][$in][0][0]=1&filters[id][$in][0][1]=2", "filters(id($in(\"1,2\")))"},
    {"filters[id][$in][0][0][0]=1", "filters(id($in(\"1\")))"},
    {"filters[id][0][0]=1", "filters(id($in(\"1\")))"},
    {"filters[id][$eq][0][0]=1", "filters(id($eq(\"1\")))"},
    {"filters[id][$between][0][0]=1&filters[id][$between][1][0]=2",
     "filters(id($between(\"1\" \"2\")))"},
    {"filters[name][$contains][0][0]=a&filters[name][$contains][0][1]=b",
     "filters(name($contains(\"a\" \"b\")))"},
    {"filters[id][$null][0]=false", "filters(id($null(\"true\")))"},
    {"pagination[limit][0][0]=1", "limit(1)"},
    {"locale[0][0]=fr", "locale(locale(\"fr\"))"},
};
BOOST_DATA_TEST_CASE(a_list_where_a_value_is_meant_is_its_text, lists_in_lists) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

// The path is found, and no value at it, whatever the parameter of that name has.
Sample const counts_with_dots[] = {
    {"pagination.withCount=false", "no-count"},
    {"pagination.withCount=true", "no-count"},
    {"pagination.withCount", "no-count"},
    {"pagination.withCount[a]=1", "no-count"},
    {"pagination.withCount=false&pagination[withCount]=true", "count"},
    {"pagination[withCount]=true&pagination.withCount=false", "count"},
    {"pagination.page=2", ""},
    {"filters.id.$eq=1&sort.0=id&fields.0=id&populate.a=*&locale.0=fr", ""},
};
BOOST_DATA_TEST_CASE(dots_mean_something_in_one_parameter_alone, counts_with_dots) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

Sample const windows[] = {
    {"pagination[page]=2&pagination[pageSize]=0x10", "page(2) pageSize(16)"},
    {"pagination[start]=&pagination[limit]=-1", "start(0) limit(-1)"},
    {"pagination[page]", "page(0)"},
    {"pagination[withCount]=false", "no-count"},
    {"pagination=2", ""},
    {"locale=all", "locale(all)"},
    {"locale=fr", "locale(locale(\"fr\"))"},
    {"locale[$ne]=fr", "locale($ne(\"fr\"))"},
    {"publicationState=preview", "preview"},
    {"publicationState", "preview"},
    {"publicationState=live", ""},
    {"_q=stone", "search(stone)"},
};
BOOST_DATA_TEST_CASE(the_other_parameters_have_their_types, windows) {
    BOOST_TEST(dump(read(sample.text)) == sample.expected);
}

BOOST_AUTO_TEST_CASE(a_value_without_meaning_is_noted_where_it_stands) {
    auto const query = read("sort=title:up&populate[tags][count]=maybe&pagination[page]=x"
                            "&publicationState=LIVE&fields[a]=b");
    BOOST_TEST(query.selection.sort.unchecked().at(0).error()->message ==
               "sort: expected asc or desc, received \"up\"");
    BOOST_TEST(query.selection.populate.unchecked().members.at(0).options.error()->message ==
               "populate[tags][count]: expected true or false, received \"maybe\"");
    BOOST_TEST(query.pagination.error()->message ==
               "pagination[page]: expected a whole number, received \"x\"");
    BOOST_TEST(query.publication_state.error()->message ==
               "publicationState: expected live or preview, received \"LIVE\"");
    BOOST_TEST(query.selection.fields.error()->message ==
               "fields: expected a field name or a list of them");
}

BOOST_AUTO_TEST_CASE(what_is_no_parameter_is_remembered_as_ignored) {
    auto const query = read("color=red&pagination[size]=3");
    BOOST_TEST(query.ignored.size() == 2u);
    BOOST_TEST(query.ignored.at(0) == "color");
    BOOST_TEST(query.ignored.at(1) == "pagination[size]");
}

BOOST_AUTO_TEST_CASE(a_path_of_any_length_is_read_without_deep_recursion) {
    std::string path = "populate=a";
    for (int i = 0; i < 100'000; ++i)
        path += ".a";
    auto const query = read(path);
    parser::PopulateSet set;
    parser::add_path(query.selection.populate.unchecked().paths.at(0), set);
    BOOST_TEST(set.members.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
