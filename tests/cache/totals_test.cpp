#include "fixture.hpp"

#include "tests/faults/chaos_proxy.hpp"

// Totals that take the database long are cached apart from the responses that they are in.

using namespace cache_test;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(totals)

namespace {

// The program, for whom each response of the database takes 10 ms.
struct Slow {
    std::string const socket = server::setting("POPULATE_TEST_SOCKET") + ".slow";
    faults::ChaosProxy proxy{socket, server::setting("POPULATE_TEST_SOCKET")};
    Keeping const keeping{{.database = through(socket)}};
    Slow() { proxy.set({.delay = 10ms}); }

    static std::string through(std::string const& socket) {
        auto const database = server::setting("POPULATE_TEST_DATABASE");
        return database.substr(0, database.find("socket=")) + "socket=" + socket;
    }
};

// The number of statements for a page past the end that nobody has asked for: it has no rows, so
// that only the total may have to be read.
double statements_for_a_new_page(Keeping const& keeping) {
    static int page = 1000;
    for (;;) {
        auto const before = keeping.counts();
        auto const [response, use] =
            keeping.ask_with_outcome({"/api/articles?pagination[page]=" + std::to_string(++page)});
        BOOST_TEST_REQUIRE(response.status == 200, response.body);
        if (use == "miss")
            return keeping.counts()["populate_statements_total"] -
                   before.at("populate_statements_total");
        BOOST_TEST_REQUIRE(use == "bypass"); // the log was late
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_total_is_counted_again_only_if_other_entries_may_satisfy_the_condition) {
    Slow const slow;
    auto const& keeping = slow.keeping;
    auto const owner = open_owner();
    struct {
        SqlPiece change;
        bool counts;
    } const table[] = {
        {"UPDATE articles SET title = CONCAT(title, '.') WHERE id = 3", false},
        {"INSERT INTO articles (id, title, locale, published_at) VALUES (900, 'x', 'en', NOW())",
         true},
        {"UPDATE articles SET published_at = NULL WHERE id = 900", true},
        {"UPDATE articles SET excerpt = CONCAT_WS('', excerpt, '.') WHERE id = 900", false},
        {"UPDATE articles SET locale = 'fr' WHERE id = 900", true},
        {"UPDATE tags SET name = CONCAT(name, '.') WHERE id = 1", false},
        {"DELETE FROM articles WHERE id = 900", true},
    };
    keeping.ask_until_cached({"/api/articles?pagination[page]=1000"});
    auto const counts_after = [&](SqlPiece change) {
        BOOST_TEST(eventually([&] { return statements_for_a_new_page(keeping) == 0; }));
        server::command(*owner, change);
        return statements_for_a_new_page(keeping) > 0;
    };
    for (auto const& [change, counts] : table) {
        auto const text = db::SqlText(change).str();
        if (counts)
            BOOST_TEST(counts_after(change), text);
        else // whenever the log is late, it is counted
            BOOST_TEST(eventually([&] { return !counts_after(change); }), text);
    }
}

BOOST_AUTO_TEST_CASE(responses_with_a_cached_total_say_what_the_database_says) {
    Slow const slow;
    auto const& keeping = slow.keeping;
    Uncached const uncached;
    auto const owner = open_owner();
    char const* const uris[] = {
        "/api/articles?pagination[pageSize]=3",      "/api/articles?pagination[page]=2",
        "/api/articles?pagination[page]=99",         "/api/articles?sort=title&pagination[limit]=2",
        "/api/articles?pagination[limit]=0",         "/api/articles?filters[title]=nowhere",
        "/api/articles?filters[tags][id][$gt]=3",    "/api/users/count",
        "/api/articles?pagination[withCount]=false",
    };
    SqlPiece const changes[] = {
        "UPDATE articles SET title = 'nowhere' WHERE id = 4",
        "UPDATE articles SET published_at = NULL WHERE id = 5",
        "UPDATE IGNORE articles_tags_links SET tag_id = 2 WHERE article_id = 2",
        "DELETE FROM articles WHERE id = 6",
    };
    for (auto const change : changes) {
        for (auto const* uri : uris)
            for (int time = 0; time < 2; ++time)
                BOOST_TEST((text_of(keeping.ask({uri})) == text_of(uncached.ask({uri}))), uri);
        server::command(*owner, change);
    }
}

BOOST_AUTO_TEST_SUITE_END()
