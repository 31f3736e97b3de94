#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"
#include "tests/unit/sample.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

// Each value that a reader notes as an error, and what comes of it: an error where the part that
// it is in is used, and nothing where it is not.

namespace {

struct ErrorProject {
    std::shared_ptr<db::Schema const> schema = example_schema();

    std::string refusal(std::string const& query, db::ReadTarget target) const {
        if (!target.type) target.type = schema->find("api::article.article");
        auto const plan = bound(*schema, target, query);
        return plan ? "none" : plan.error().message;
    }
    std::string refusal(std::string const& query) const {
        return refusal(query, {.type = nullptr});
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(value_errors, ErrorProject)

// These are said of any entries; `@` is where.
Sample const of_a_selection[] = {
    {"@fields[a]=b", "@fields: expected a field name or a list of them"},
    {"@fields[0][a]=b", "@fields: expected a list of field names"},
    {"@filters=x", "@filters: expected a list of conditions"},
    {"@filters[$or]=x", "@filters[$or]: expected a list of conditions"},
    {"@filters[$and][id]=1", "@filters[$and]: expected a list of conditions"},
    {"@filters[id][$gt][0][a]=1", "Invalid parameter a"},
    {"@filters[id][$gt][0][$eq]=1", "@filters[id][$gt]: expected a list of values"},
    {"@filters[$not][id][$eq][0][$eq]=1", "@filters[$not][id][$eq]: expected a list of values"},
    {"@filters[$or][0][id][$notIn][$eq]=1", "@filters[$or][id][$notIn]: expected a value"},
    {"@filters[$gt][0][a]=1", "Invalid parameter a"},
    {"@filters[$gt][0][id]=1", "@filters[$gt]: expected a list of values"},
    {"@sort=id:up", "@sort: expected asc or desc, received \"up\""},
    {"@sort[id]=up", "@sort[id]: expected asc or desc, received \"up\""},
    {"@sort=.id", "@sort: expected an attribute or a path of them, received \".id\""},
    {"@sort[0][0]=id", "@sort: expected names, received a list"},
    {"@populate[0][0]=x", "@populate: expected a name"},
};

// `@fields` at a place: `fields`, or `populate[author][fields]`.
std::string at(std::string const& place, std::string text) {
    for (std::string const name : {"fields", "filters", "sort", "populate"})
        boost::replace_first(text, "@" + name, place.empty() ? name : place + "[" + name + "]");
    return text;
}

BOOST_DATA_TEST_CASE_F(ErrorProject, one_in_a_selection_is_refused_wherever_the_selection_is,
                       of_a_selection) {
    for (std::string const place :
         {"", "populate[author]", "populate[cover]", "populate[author][populate][articles]"})
        BOOST_TEST(refusal(at(place, sample.text)) == at(place, sample.expected), place);
    std::string const zone = "populate[zone][on][blocks.hero]";
    BOOST_TEST(refusal(at(zone, sample.text), {.type = schema->find("api::page.page")}) ==
               at(zone, sample.expected));
}

BOOST_DATA_TEST_CASE_F(ErrorProject, one_below_what_is_only_counted_is_refused_too,
                       of_a_selection) {
    std::string const counted = "populate[author]";
    for (std::string const& place : {counted, counted + "[populate][articles]"})
        BOOST_TEST(refusal(counted + "[count]=true&" + at(place, sample.text)) ==
                   at(place, sample.expected));
}

Sample const of_populate[] = {
    {"populate[tags]", "populate[tags]: expected true, false, * or options"},
    {"populate[tags][count]=x", "populate[tags][count]: expected true or false, received \"x\""},
    {"populate[tags][publicationState]=x",
     "populate[tags][publicationState]: expected live or preview, received \"x\""},
    {"populate[tags][start]=x", "populate[tags][start]: expected a whole number, received \"x\""},
    {"populate[tags][limit]=-2", "populate[tags][limit]: expected a whole number, received \"-2\""},
    {"populate[tags][page]=x", "Invalid 'page' parameter. Expected an integer > 0, received: x"},
    {"populate[tags][pageSize]=x",
     "Invalid 'pageSize' parameter. Expected an integer > 0, received: undefined"},
    {"populate[tags][page]=1&populate[tags][limit]=1",
     "Invalid pagination attributes. You cannot use page and offset pagination in the same query"},
};
BOOST_DATA_TEST_CASE_F(ErrorProject, one_in_the_options_of_populate_is_refused_if_the_name_exists,
                       of_populate) {
    std::string const& query = sample.text;
    BOOST_TEST(refusal(query) == sample.expected);
    BOOST_TEST(refusal(boost::replace_all_copy(query, "[tags]", "[nope]")) == "none");
    // Also where the caller may not populate it, and in a fragment.
    BOOST_TEST(refusal(boost::replace_all_copy(query, "[tags]", "[privateAuthor]")) ==
               boost::replace_all_copy(sample.expected, "[tags]", "[privateAuthor]"));
    std::string const fragment = "[zone][on][blocks.hero]";
    BOOST_TEST(refusal(boost::replace_all_copy(query, "[tags]", fragment),
                       {.type = schema->find("api::page.page")}) ==
               boost::replace_all_copy(sample.expected, "[tags]", fragment));
}

Sample const of_lists[] = {
    {"locale[0][a]=b", "locale: expected locale codes"},
    {"locale[$in][0][a]=b", "none"}, // an object in `$in` matches nothing
    {"locale[$ne][0][a]=b", "locale[$ne]: expected a list of values"},
    {"publicationState=x", "publicationState: expected live or preview, received \"x\""},
    {"publicationState[a]=x", "publicationState: expected live or preview"},
    {"_q[a]=x", "_q: expected a text"},
};
BOOST_DATA_TEST_CASE_F(ErrorProject, one_in_what_chooses_entries_is_refused_where_they_are_chosen,
                       of_lists) {
    for (db::Action const action : {db::Action::find, db::Action::count, db::Action::find_single})
        BOOST_TEST(refusal(sample.text, {.type = nullptr, .action = action}) == sample.expected);
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .action = db::Action::find_one, .id = "1"}) ==
               "none");
}

Sample const of_pages[] = {
    {"pagination[page]=x", "pagination[page]: expected a whole number, received \"x\""},
    {"pagination[limit]=x", "pagination[limit]: expected a whole number, received \"x\""},
    {"pagination[withCount]=x",
     "Invalid withCount parameter. Expected \"t\",\"1\",\"true\",\"false\",\"0\",\"f\""},
};
BOOST_DATA_TEST_CASE_F(ErrorProject, one_in_pagination_is_refused_where_there_are_pages, of_pages) {
    BOOST_TEST(refusal(sample.text) == sample.expected);
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .plain = true}) == "none");
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .action = db::Action::count}) == "none");
}

Sample const of_root_pages[] = {
    {"start=x", "start: expected a whole number, received \"x\""},
    {"limit=x", "limit: expected a whole number, received \"x\""},
    {"page=x", "Invalid 'page' parameter. Expected an integer > 0, received: x"},
    {"pageSize=0", "Invalid 'pageSize' parameter. Expected an integer > 0, received: undefined"},
};
BOOST_DATA_TEST_CASE_F(ErrorProject,
                       one_in_pages_outside_of_pagination_is_refused_where_these_are_read,
                       of_root_pages) {
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .plain = true}) == sample.expected);
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .action = db::Action::find_single}) ==
               sample.expected);
    BOOST_TEST(refusal(sample.text, {.type = nullptr, .action = db::Action::count}) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
