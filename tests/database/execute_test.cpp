#include "db/execute.hpp"
#include "db/plan/bind.hpp"
#include "parser/query_reader.hpp"
#include "tests/database/server.hpp"

#include <atomic>
#include <string>
#include <vector>

// Plans read from the example's tables. What is expected is asked of the server in other words.

namespace {

struct Fixture {
    db::SelectedPlan plan(std::string const& query) const {
        auto const typed = parser::read_query(parser::parse_query_string(query));
        auto bound = db::bind(typed, {.type = schema->find("api::article.article")}, *schema, full,
                              {.default_locale = "en"}, limits);
        BOOST_TEST_REQUIRE(bound.has_value(), bound.error().message);
        return db::select(*std::move(bound));
    }
    parser::Result<db::ResultTree> read(std::string const& query) {
        sent.clear();
        return db::execute(plan(query), *connection, {limits, deadline, memory}, sent);
    }
    std::uint64_t number(db::SqlText const& sql) const {
        return std::stoull(server::ask(*connection, sql));
    }

    std::shared_ptr<db::Schema> schema = db::load_schema(TEST_DATA "/ks/project").value();
    db::Permissions full{db::Permissions::Kind::full};
    std::unique_ptr<db::Connection> connection = server::open(server::reader());
    parser::Limits limits;
    parser::Deadline deadline;
    parser::MemoryShare memory;
    std::vector<db::SentStatement> sent;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(execution, Fixture)

BOOST_AUTO_TEST_CASE(a_page_that_is_not_full_tells_the_total_itself) {
    auto const total = number(db::SqlPiece(
        "SELECT COUNT(*) FROM articles WHERE published_at IS NOT NULL AND locale = 'en'"));
    struct {
        std::string query;
        std::size_t statements;
    } const rows[] = {
        {"fields=id&pagination[pageSize]=1", 2},
        {"fields=id&pagination[pageSize]=100", 1},
        {"fields=id&pagination[page]=1000", 2}, // past the end
        {"fields=id&pagination[pageSize]=1&pagination[withCount]=false", 1},
    };
    for (auto const& [query, statements] : rows) {
        auto const tree = read(query);
        BOOST_TEST_REQUIRE(tree.has_value(), query);
        BOOST_TEST(sent.size() == statements, query);
        bool const counted = query.find("withCount") == query.npos;
        BOOST_TEST((tree->total == (counted ? std::optional(total) : std::nullopt)), query);
    }
}

BOOST_AUTO_TEST_CASE(each_parent_has_its_related_rows_in_the_order_of_the_link) {
    auto const tree = read("fields=id&populate[tags][fields][0]=name&pagination[pageSize]=100");
    BOOST_TEST_REQUIRE(tree.has_value());
    std::size_t found = 0;
    for (db::Row const& article : tree->nodes[0].rows) {
        db::SqlText sql = db::SqlPiece("SELECT GROUP_CONCAT(t.name ORDER BY l.tag_order SEPARATOR "
                                       "'|') FROM articles_tags_links l JOIN tags t"
                                       " ON t.id = l.tag_id WHERE l.article_id = ");
        auto const expected = server::ask(*connection, sql.integer(article.id));
        std::string names;
        for (db::Row const& tag : tree->nodes[1].of(article.id)) {
            names.append(names.empty() ? "" : "|").append(*tree->nodes[1].cells_of(tag));
            ++found;
        }
        BOOST_TEST((names.empty() ? "NULL" : names) == expected, article.id);
    }
    BOOST_TEST(found > tree->nodes[1].entries, "some tag is that of several articles");
    BOOST_TEST(sent.size() == 2U);
}

BOOST_AUTO_TEST_CASE(counts_are_of_each_parent) {
    auto const tree = read("fields=id&populate[tags][count]=true&pagination[pageSize]=100");
    BOOST_TEST_REQUIRE(tree.has_value());
    for (db::Row const& article : tree->nodes[0].rows) {
        db::SqlText sql =
            db::SqlPiece("SELECT COUNT(*) FROM articles_tags_links WHERE article_id = ");
        auto const counted = tree->nodes[1].of(article.id);
        BOOST_TEST((counted.empty() ? 0 : counted[0].id) == number(sql.integer(article.id)));
    }
}

BOOST_AUTO_TEST_CASE(what_passes_a_limit_is_named_and_dropped) {
    limits.rows = 3;
    auto const rows = read("fields=id");
    BOOST_TEST_REQUIRE(rows.has_error());
    BOOST_TEST((rows.error().kind == parser::ErrorKind::over_limit));
    BOOST_TEST(rows.error().message == "The request is over rows-limit (3)");
    limits = {.response = 10};
    auto const bytes = read("fields=title");
    BOOST_TEST_REQUIRE(bytes.has_error());
    BOOST_TEST(bytes.error().message == "The request is over response-limit (10 bytes)");
}

BOOST_AUTO_TEST_CASE(nothing_is_sent_when_nobody_waits_or_no_time_is_left) {
    std::atomic<bool> const gone = true;
    struct {
        parser::Deadline deadline;
        parser::ErrorKind kind;
    } const rows[] = {
        {{.at = parser::Deadline::Clock::now()}, parser::ErrorKind::timed_out},
        {{.abandoned = &gone}, parser::ErrorKind::unavailable},
    };
    for (auto const& [when, kind] : rows) {
        deadline = when;
        auto const tree = read("fields=id");
        BOOST_TEST_REQUIRE(tree.has_error());
        BOOST_TEST((tree.error().kind == kind));
        BOOST_TEST(sent.empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
