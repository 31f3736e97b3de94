#include "db/mysql/watchdog.hpp"
#include "db/plan/bind.hpp"
#include "db/read/execute.hpp"
#include "parser/query_reader.hpp"
#include "tests/database/result_text.hpp"
#include "tests/database/server.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

// The other forms of statements (db/read/form.hpp) on the example's tables.

namespace {

struct FormsFixture {
    db::SelectedPlan plan(std::string const& type, std::string const& query) const {
        auto const typed =
            parser::read_query(parser::parse_query_string(query), schema->cms.reading);
        auto bound = db::bind(typed, {.type = schema->find("api::" + type + "." + type)}, *schema,
                              full, {.default_locale = "en"}, limits);
        BOOST_TEST_REQUIRE(bound.has_value(), bound.error().message);
        return db::select(*std::move(bound));
    }
    std::string read(db::SelectedPlan const& plan, db::Forms forms) {
        sent.clear();
        auto const method = db::method_for(plan, forms);
        if (method.extent == db::Extent::snapshot) connection->begin_snapshot();
        auto const tree =
            db::execute(plan, method, *connection, {limits, {}, memory, false, forms}, sent);
        BOOST_TEST_REQUIRE(tree.has_value(), tree.error().cause);
        return text_of(*tree);
    }
    std::size_t sent_in(db::Form form) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(sent, [&](auto const& one) { return one.form == form; }));
    }

    void connect_through(faults::ChaosProxy& between) {
        auto url = server::reader();
        url.socket.clear();
        url.host = "127.0.0.1";
        url.port = between.port();
        connection = server::open(url, {.watchdog = &watchdog.emplace()});
    }
    // In that form it was sent once, and all of it again in the usual one.
    void is_given_up(db::Form form) const {
        auto const given_up = std::ranges::find_if(sent, &db::SentStatement::given_up);
        BOOST_TEST_REQUIRE((given_up != sent.end()));
        BOOST_TEST((given_up->form == form));
        BOOST_TEST((given_up[1].node == 0U));
        BOOST_TEST(sent_in(form) == 1U);
        BOOST_TEST(!connection->is_broken());
        BOOST_TEST(connection->is_in_snapshot());
    }

    std::shared_ptr<db::Schema> schema = db::load_schema(PROJECTS "/ks").value();
    db::Permissions full{db::Permissions::AccessLevel::full};
    std::optional<db::Watchdog> watchdog; // outlives the connection
    std::unique_ptr<db::Connection> connection = server::open(server::reader());
    parser::Limits limits;
    parser::MemoryShare memory;
    std::vector<db::SentStatement> sent;
};

struct Asked {
    char const* type;
    char const* query;
    db::Form form;
};
std::ostream& operator<<(std::ostream& out, Asked const& asked) {
    return out << asked.type << '?' << asked.query;
}

constexpr auto probe = db::Form::probe;
constexpr auto branches = db::Form::branches;
constexpr auto late_rows = db::Form::late_rows;
constexpr auto difference = db::Form::difference;
constexpr auto joined = db::Form::joined;
constexpr auto values = db::Form::values;

Asked const asked[] = {
    {"article", "fields=id&filters[category][slug][$notNull]=true", probe},
    {"article", "fields=id&filters[category][slug][$notNull]=true&sort=title:desc", probe},
    {"article", "fields=id&filters[tags][id]=3&pagination[page]=2&pagination[pageSize]=3", probe},
    {"article", "fields=id&filters[category][articles][tags][id][$lt]=4", probe},
    {"article", "fields=id&filters[$not][tags][name][$contains]=a", probe},
    {"article", "fields=id&filters[$not][tags][articles][title][$contains]=a", probe},
    {"article", "fields=id&filters[author][name][$null]=true", probe},
    {"article", "fields=id&filters[$or][0][tags][id]=3&filters[$or][1][title][$contains]=a", probe},
    {"article", "fields=title&pagination[page]=3&pagination[pageSize]=4", late_rows},
    {"article", "fields=id&sort=view_count:desc&filters[workflow][$notNull]=true", late_rows},
    {"article", "fields=id&sort[0]=view_count:desc&sort[1]=title&pagination[start]=7", late_rows},
    {"article",
     "fields=id&filters[title][$contains]=a&pagination[start]=5&pagination[limit]=3&populate[tags]["
     "fields]=name",
     late_rows},
    {"category", "fields=id&populate[articles][limit]=3&populate[articles][fields]=title",
     branches},
    {"category", "fields=id&populate[articles][limit]=3&populate[articles][fields]=id", branches},
    {"category",
     "fields=id&populate[articles][start]=2&populate[articles][limit]=3&populate[articles][sort]="
     "title:desc",
     branches},
    {"category",
     "fields=id&populate[articles][limit]=3&populate[articles][sort][0]=author.name&populate["
     "articles][sort][1]=view_count:desc",
     branches},
    {"tag",
     "fields=id&populate[articles][limit]=2&populate[articles][filters][category][id][$gt]=1&"
     "populate[articles][populate][category][fields]=name",
     branches},
    {"article", "fields=id&populate[tags][limit]=1&pagination[pageSize]=100", branches},
    {"category", "fields=id&populate[articles][count]=true", difference},
    {"tag",
     "fields=id&populate[articles][count]=true&populate[articles][filters][title][$contains]=a",
     difference},
    {"tag", "fields=id&populate[articles][count]=true&populate[articles][filters][title]=nowhere",
     difference},
    {"tag",
     "fields=id&populate[articles][count]=true&populate[articles][filters][category][id][$gt]=2",
     difference},
    {"article", "fields=id&pagination[pageSize]=2&filters[category][slug][$notNull]=true", joined},
    {"article", "fields=id&pagination[pageSize]=2&filters[tags][name][$contains]=a", joined},
    {"article", "fields=id&pagination[pageSize]=2&filters[tags][articles][id][$in][0]=3", joined},
    {"article",
     "fields=id&pagination[pageSize]=2&filters[tags][id][$gt]=1&filters[category][$or][0][name]"
     "[$contains]=a&filters[category][$or][1][articles][author][id]=1",
     joined},
    {"article", "fields=title&pagination[pageSize]=2", values},
    {"article", "fields=title&pagination[pageSize]=2&locale=all&filters[excerpt][$notNull]=true",
     values},
    {"article",
     "fields=id&pagination[pageSize]=2&publicationState=preview&filters[excerpt][$notNull]=true&"
     "filters[$or][0][title][$contains]=a&filters[$or][1][view_count][$gt]=9",
     values},
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(forms, FormsFixture)

BOOST_DATA_TEST_CASE_F(FormsFixture, each_form_of_a_statement_gives_the_same,
                       boost::unit_test::data::make(asked)) {
    auto const selected = plan(sample.type, sample.query);
    auto const usual = read(selected, db::Forms::usual);
    BOOST_TEST(std::ranges::count(usual, '\n') > 1, "nothing to compare");
    BOOST_TEST(sent_in(sample.form) == 0U);
    BOOST_TEST(read(selected, db::Forms::other) == usual);
    BOOST_TEST(sent_in(sample.form) == 1U);
}

BOOST_AUTO_TEST_CASE(what_would_be_too_many_branches_or_too_long_has_the_usual_form) {
    std::string long_filter;
    for (int i = 0; i < 50; ++i)
        long_filter.append("&populate[articles][filters][title][$notIn][")
            .append(std::to_string(i) + "]=" + std::string(500, 'x'));
    std::string const queries[] = {
        "fields=id&publicationState=preview&populate[articles][fields]=id&populate[articles]"
        "[populate][tags][limit]=1",
        "fields=id&pagination[pageSize]=100&populate[articles][limit]=1" + long_filter,
    };
    for (auto const& query : queries) {
        auto const selected = plan("tag", query);
        auto const usual = read(selected, db::Forms::usual);
        BOOST_TEST(read(selected, db::Forms::other) == usual);
        BOOST_TEST(sent_in(branches) == 0U, query.substr(0, 100));
    }
}

// The lock makes the statement take longer than it is given, and is there until the usual form
// waits for it.
Asked const slow[] = {
    {"article",
     "fields=title&filters[category][slug][$notNull]=true&populate[category][fields]=name", probe},
    {"category",
     "fields=id&populate[articles][limit]=3&populate[articles][fields]=title&populate[icon]"
     "[fields]=id",
     branches},
};
BOOST_DATA_TEST_CASE_F(FormsFixture, a_form_that_takes_long_is_given_up_and_the_response_is_whole,
                       boost::unit_test::data::make(slow)) {
    auto const owner = server::open_owner();
    auto const selected = plan(sample.type, sample.query);
    auto const usual = read(selected, db::Forms::usual);
    BOOST_TEST_REQUIRE(connection->commit().has_value()); // the lock waits for who has read
    server::command(*owner, db::SqlPiece("LOCK TABLES articles WRITE"));
    auto const other = server::open_owner();
    auto const usual_form_waits = [&] {
        auto rows = other->query(
            db::SqlPiece("SELECT 1 FROM information_schema.PROCESSLIST WHERE USER = 'populate'"
                         " AND STATE LIKE 'Waiting for table%' AND INFO NOT LIKE '%UNION ALL%'"
                         " AND INFO NOT LIKE '%LIMIT 1) IS NOT NULL%'"));
        return rows && rows->next(); // Boost.Test is for one thread alone
    };
    std::jthread const unlock([&](std::stop_token const& stopped) {
        while (!stopped.stop_requested() && !usual_form_waits())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        (void)owner->command(db::SqlPiece("UNLOCK TABLES"));
    });
    BOOST_TEST(read(selected, db::Forms::other) == usual);
    is_given_up(sample.form);
}

// The lock makes each form take longer than a statement may.
BOOST_AUTO_TEST_CASE(where_neither_form_ends_in_time_no_second_one_is_waited_for) {
    auto const owner = server::open_owner();
    auto const selected =
        plan("category", "fields=id&populate[articles][limit]=2&populate[articles][fields]=slug");
    server::command(*owner, db::SqlPiece("LOCK TABLES articles WRITE"));
    for (auto const form : {db::Form::usual, branches}) {
        limits.statement = std::chrono::milliseconds(100);
        connection = server::open(server::reader(), {.statement_timeout = limits.statement});
        sent.clear();
        connection->begin_snapshot();
        auto const tree = db::execute(selected, db::method_for(selected, db::Forms::chosen),
                                      *connection, {limits, {}, memory}, sent);
        BOOST_TEST_REQUIRE(tree.has_error());
        BOOST_TEST((tree.error().kind == parser::ErrorKind::timed_out), tree.error().cause);
        BOOST_TEST_REQUIRE(!sent.empty());
        BOOST_TEST((sent.back().form == form));
        BOOST_TEST(!sent.back().given_up);
    }
}

// The time of the sort grows with the links, 5 us for each, whatever limit their parents have.
BOOST_AUTO_TEST_CASE(what_would_sort_too_many_links_by_related_rows_is_refused_before_it_is_sent) {
    char const* const queries[] = {
        "fields=id&populate[articles][limit]=1&populate[articles][sort]=author.name",
        "fields=id&populate[articles][fields]=id&populate[articles][sort]=category.name:desc",
    };
    for (auto const* query : queries) {
        auto const selected = plan("tag", query);
        limits.statement = parser::Limits().statement;
        read(selected, db::Forms::chosen);
        BOOST_TEST_REQUIRE(sent.size() >= 3U, query);
        BOOST_TEST(sent[sent.size() - 2].counts_links, query);
        BOOST_TEST((sent.back().node == 1U && !sent.back().counts_links), query);

        limits.statement = std::chrono::milliseconds(0);
        sent.clear();
        auto const refused =
            db::execute(selected, db::method_for(selected, db::Forms::chosen), *connection,
                        {limits, {}, memory, false, db::Forms::chosen}, sent);
        BOOST_TEST_REQUIRE(refused.has_error(), query);
        BOOST_TEST((refused.error().kind == parser::ErrorKind::timed_out), refused.error().cause);
        BOOST_TEST(refused.error().message ==
                   "The request would take longer than statement-timeout (0 ms)");
        BOOST_TEST(sent.back().counts_links, query);
    }
}

// Statements are changed on their way, so that the server refuses those of one form.
struct Refused {
    Asked asked;
    char const* from;
    char const* to;
};
std::ostream& operator<<(std::ostream& out, Refused const& refused) {
    return out << refused.asked;
}
Refused const refused[] = {
    {{"article", "fields=id&filters[category][slug][$notNull]=true", probe},
     "LIMIT 1) IS NOT NULL",
     "LIMIT x) IS NOT NULL"},
    {{"category", "fields=id&populate[articles][limit]=3&populate[icon][fields]=id", branches},
     "UNION ALL",
     "UNION ELK"},
};
BOOST_DATA_TEST_CASE_F(FormsFixture, a_form_that_is_refused_is_given_up_and_the_response_is_whole,
                       boost::unit_test::data::make(refused)) {
    auto const selected = plan(sample.asked.type, sample.asked.query);
    auto const usual = read(selected, db::Forms::usual);
    faults::ChaosProxy between(server::setting("POPULATE_TEST_SOCKET"));
    connect_through(between);
    between.set({.from = sample.from, .to = sample.to});
    BOOST_TEST(read(selected, db::Forms::other) == usual);
    is_given_up(sample.asked.form);
}

// It is the server that gives up; its word may come late.
BOOST_AUTO_TEST_CASE(a_network_that_is_slow_costs_a_probe_no_connection) {
    auto const selected = plan("article", "fields=id&filters[category][slug][$notNull]=true");
    auto const usual = read(selected, db::Forms::usual);
    faults::ChaosProxy between(server::setting("POPULATE_TEST_SOCKET"));
    connect_through(between);
    between.set({.delay = std::chrono::milliseconds(500)});
    BOOST_TEST(read(selected, db::Forms::other) == usual);
    BOOST_TEST(!connection->is_broken());
}

BOOST_AUTO_TEST_SUITE_END()
