#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

// Pages and what is populated as Strapi 5.54 reads them; the expected values are from its
// responses.

namespace {

struct WindowProject {
    std::shared_ptr<db::Schema const> schema = example_schema(db::Version::strapi5);

    parser::Result<db::ReadPlan> plan(std::string const& type, std::string const& query,
                                      db::Action action = db::Action::find,
                                      db::Permissions const& permissions = everything) const {
        db::ReadTarget const target{
            .type = schema->find("api::" + type + "." + type), .action = action, .id = "x"};
        return bound(*schema, target, query, permissions);
    }
};

struct Window {
    char const* query;
    unsigned start;
    unsigned limit;
    unsigned page;
    bool offset_form;
};
std::ostream& operator<<(std::ostream& out, Window const& window) {
    return out << window.query;
}

struct Refused {
    char const* query;
    char const* message;
    parser::ErrorKind kind = parser::ErrorKind::invalid;
};
std::ostream& operator<<(std::ostream& out, Refused const& refused) {
    return out << refused.query;
}

struct Populated {
    char const* query;
    unsigned count; // of branches, or columns to sort by
};
std::ostream& operator<<(std::ostream& out, Populated const& populated) {
    return out << populated.query;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(window, WindowProject)

Window const windows[] = {
    {"", 0, 25, 1, false},
    {"pagination[page]=3", 50, 25, 3, false},
    {"pagination[page]=0", 0, 25, 1, false},
    {"pagination[page]", 0, 25, 1, false},
    {"pagination[page]=", 0, 25, 1, false},
    {"pagination[page][]=2", 25, 25, 2, false},
    {"pagination[page]=1e1", 225, 25, 10, false},
    {"pagination[pageSize]", 0, 25, 1, false},
    {"pagination[pageSize]=", 0, 1, 1, false},
    {"pagination[pageSize]=-1", 0, 1, 1, false},
    {"pagination[pageSize]=101", 0, 100, 1, false},
    {"pagination[pageSize]=Infinity", 0, 100, 1, false},
    {"pagination[pageSize]=5&pagination[pageSize]=6", 0, 100, 1, false},
    {"pagination[page]=3&pagination[pageSize]=50", 100, 50, 3, false},
    {"pagination[start]=10", 10, 25, 1, true},
    {"pagination[start]=-1", 0, 25, 1, true},
    {"pagination[limit]", 0, 25, 1, true},
    {"pagination[limit]=abc", 0, 100, 1, true},
    {"pagination[limit]=-1", 0, 1, 1, true},
    {"pagination[limit]=", 0, 1, 1, true},
    {"pagination[start]=119&pagination[limit]=5", 119, 5, 24, true},
    {"start=1&limit=2", 0, 25, 1, false},
    {"limit=abc", 0, 25, 1, false},
};

BOOST_DATA_TEST_CASE_F(WindowProject, start_and_limit_are_made_of_whatever_is_written, windows) {
    auto const made = plan("product", sample.query);
    BOOST_REQUIRE(made);
    BOOST_TEST(made->page.start == sample.start);
    BOOST_TEST(made->page.limit.value() == sample.limit);
    BOOST_TEST(made->page.page == sample.page);
    BOOST_TEST(made->page.page_size == sample.limit);
    BOOST_TEST(made->page.offset_form == sample.offset_form);
}

BOOST_AUTO_TEST_CASE(where_no_locale_is_counted_the_database_is_not_asked_to) {
    struct {
        db::Release release;
        char const* query;
        bool counted, counts_nothing;
    } const rows[] = {
        {{5, 30, 0}, "locale=*", false, true},
        {{5, 30, 0}, "locale=*&pagination[withCount]=false", false, false},
        {{5, 30, 0}, "locale=en", true, false},
        {{5, 30, 1}, "locale=*", true, false},
    };
    for (auto const& row : rows) {
        schema = db::load_schema(PROJECTS "/ks", {{}, db::Version::strapi5, row.release}).value();
        auto const made = plan("article", row.query);
        BOOST_REQUIRE(made);
        BOOST_TEST(made->page.counted == row.counted, row.query);
        BOOST_TEST(made->page.counts_nothing == row.counts_nothing, row.query);
    }
}

constexpr auto beside_pagination = "Invalid pagination attributes. The page parameters are "
                                   "incorrect and must be in the pagination object";

Refused const refused_of_lists[] = {
    {"pagination[page]=abc", "convertStartQueryParams expected a positive integer got NaN"},
    {"pagination[page]=1.5", "convertStartQueryParams expected a positive integer got 12.5"},
    {"pagination[page]=2&pagination[page]=3",
     "convertStartQueryParams expected a positive integer got NaN"},
    {"pagination[page][x]=2", "convertStartQueryParams expected a positive integer got NaN"},
    {"pagination[page]=Infinity",
     "convertStartQueryParams expected a positive integer got Infinity"},
    {"pagination[pageSize]=2.5", "convertLimitQueryParams expected a positive integer got 2.5"},
    {"pagination[limit]=2.7", "convertLimitQueryParams expected a positive integer got 2.7"},
    {"pagination[page]=1&pagination[start]=0",
     "Cannot use both page & offset pagination in the same query",
     parser::ErrorKind::invalid_pagination},
    {"page=2&pageSize=5", beside_pagination, parser::ErrorKind::invalid_pagination},
    {"page=1&limit=3", beside_pagination, parser::ErrorKind::invalid_pagination},
};

BOOST_DATA_TEST_CASE_F(WindowProject, what_makes_no_window_of_a_list_is_refused, refused_of_lists) {
    auto const made = plan("product", sample.query);
    BOOST_REQUIRE(!made);
    BOOST_TEST(made.error().message == sample.message);
    BOOST_TEST((made.error().kind == sample.kind));
}

Refused const refused_of_one[] = {
    {"start=-1", "convertStartQueryParams expected a positive integer got -1"},
    {"page=0&pageSize=0", "Invalid 'page' parameter. Expected an integer > 0, received: 0",
     parser::ErrorKind::invalid_pagination},
};

BOOST_DATA_TEST_CASE_F(WindowProject, what_makes_no_window_of_one_entry_is_refused,
                       refused_of_one) {
    auto const made = plan("product", sample.query, db::Action::find_one);
    BOOST_REQUIRE(!made);
    BOOST_TEST(made.error().message == sample.message);
    BOOST_TEST((made.error().kind == sample.kind));
}

Populated const of_comments[] = {
    {"populate=*", 1},
    {"populate=related", 1},
    {"populate[related]=true", 1},
    {"populate[related]=*", 0},
    {"populate[related][fields]=title", 0},
    {"populate[related][populate]=*", 0},
    {"populate[related][on][api::article.article]=true", 1},
    {"populate[related][on][api::secret.secret]=true", 0},
};

BOOST_DATA_TEST_CASE_F(WindowProject, a_polymorphic_relation_takes_fragments_and_no_other_options,
                       of_comments) {
    db::Permissions const some{{"api::article.article.find", "api::author.author.find"}};
    auto const made = plan("comment", sample.query, db::Action::find, some);
    BOOST_REQUIRE(made);
    BOOST_TEST(made->nodes[0].branches.size() == sample.count);
}

// qs makes {"0":"tags","1":{"category":"true"},"author":"true"} of it.
BOOST_AUTO_TEST_CASE(what_has_an_index_beside_names_is_not_populated) {
    std::string const query = "populate=tags&populate[category]=true&populate[author]=true";
    auto const made = plan("article", query);
    BOOST_REQUIRE(made);
    BOOST_REQUIRE(made->nodes[0].branches.size() == 1U);
    BOOST_TEST(made->nodes[0].branches[0].attribute->name == "author");
}

// The inverse side of a polymorphic relation, and media.
BOOST_AUTO_TEST_CASE(nobody_counts_what_has_no_relation_of_its_own) {
    std::string const query = "populate[comments][count]=true&populate[gallery][count]=true"
                              "&populate[tags][count]=true";
    auto const made = plan("article", query);
    BOOST_REQUIRE(made);
    BOOST_TEST(!made->nodes[1].count);
    BOOST_TEST(!made->nodes[2].count);
    BOOST_TEST(made->nodes[3].count);
}

Populated const sorts[] = {
    {"sort=", 0},
    {"sort=:asc", 0},
    {"sort[title]=", 0},
    {"sort[title]", 0},
    {"sort=title,:desc", 1},
    {"sort=title: desc", 1},
    {"sort[title]= desc ", 1},
    {"sort[0][0]=title", 0},
    {"sort=status:desc", 0},
    {"sort[status]=asc&sort[title]=desc", 1},
};

BOOST_DATA_TEST_CASE_F(WindowProject, what_is_blank_or_the_status_sorts_by_nothing, sorts) {
    auto const made = plan("article", sample.query);
    BOOST_REQUIRE(made);
    BOOST_TEST(made->nodes[0].sort.size() == sample.count);
}

BOOST_AUTO_TEST_SUITE_END()
