#include "db/plan/bind.hpp"
#include "db/read/execute.hpp"
#include "parser/query_reader.hpp"
#include "tests/database/result_text.hpp"
#include "tests/database/server.hpp"

#include <atomic>
#include <string>
#include <vector>

// Plans read from the example's tables. What is expected is asked of the server in other words.

namespace {

struct ExecutionFixture {
    // A statement that takes a small part of this limit counts as quick, also on a busy machine.
    ExecutionFixture() { limits.statement = std::chrono::hours(1); }

    db::SelectedPlan plan(std::string const& query) const {
        auto const typed =
            parser::read_query(parser::parse_query_string(query), db::strapi4.reading);
        auto bound = db::bind(typed, {.type = schema->find("api::article.article")}, *schema, full,
                              {.default_locale = "en"}, limits);
        BOOST_TEST_REQUIRE(bound.has_value(), bound.error().message);
        return db::select(*std::move(bound));
    }
    parser::Result<db::ResultTree> read(std::string const& query) {
        sent.clear();
        auto const selected = plan(query);
        method = db::method_for(selected, db::Forms::chosen);
        return db::execute(selected, method, *connection, {limits, deadline, memory}, sent);
    }
    std::uint64_t number(db::SqlText const& sql) const {
        return std::stoull(server::ask(*connection, sql));
    }

    std::shared_ptr<db::Schema> schema = db::load_schema(PROJECTS "/ks").value();
    db::Permissions full{db::Permissions::AccessLevel::full};
    std::unique_ptr<db::Connection> connection = server::open(server::reader());
    parser::Limits limits;
    parser::Deadline deadline;
    parser::MemoryShare memory;
    std::vector<db::SentStatement> sent;
    db::ReadMethod method{};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(execution, ExecutionFixture)

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

BOOST_AUTO_TEST_CASE(where_pages_are_full_and_quickly_counted_the_total_comes_with_their_rows) {
    auto const total = number(db::SqlPiece("SELECT COUNT(*) FROM articles WHERE locale = 'en'"));
    // Sorted by a relation, and with drafts, neither statement has another form: then few
    // milliseconds would be quick.
    std::string const page_of_two = "fields=slug&publicationState=preview&pagination[pageSize]=2"
                                    "&sort[0]=author.name&sort[1]=id&pagination[page]=";
    std::string const past_the_end = page_of_two + "1000", full_page = page_of_two + "2";
    auto const is_read_with = [&](std::string const& query, std::size_t statements) {
        auto const tree = read(query);
        BOOST_TEST_REQUIRE(tree.has_value(), query);
        BOOST_TEST((tree->total == total), query);
        BOOST_TEST(sent.size() == statements, query);
    };
    for (int i = 0; i < 4; ++i)
        is_read_with(full_page, 2);
    is_read_with(full_page, 1);
    BOOST_TEST((sent[0].node == 0U));
    BOOST_TEST(sent[0].with_total);
    auto const text = db::text_of(sent[0], plan(full_page)).without_values();
    BOOST_TEST(text.find(", (SELECT COUNT(*) FROM `articles` t0 WHERE ") != text.npos, text);
    is_read_with(full_page, 1);
    is_read_with(past_the_end, 2); // it has no row to bring a total
    is_read_with(full_page, 2);

    limits.statement = std::chrono::milliseconds(0); // nothing is quick
    for (int i = 0; i < 10; ++i)
        is_read_with("fields=locale&publicationState=preview&pagination[pageSize]=2", 2);
}

BOOST_AUTO_TEST_CASE(what_one_statement_tells_is_read_without_a_snapshot) {
    using db::Extent;
    struct {
        std::string query;
        Extent expected;
    } const cases[] = {
        {"pagination[withCount]=false", Extent::statement},
        {"pagination[withCount]=false&populate=author", Extent::snapshot},
        {"publicationState=preview&pagination[pageSize]=3",
         Extent::statement}, // its rows bring the total by then
        {"pagination[pageSize]=3&pagination[page]=2", Extent::snapshot},
        {"pagination[pageSize]=100", Extent::snapshot}, // not full
    };
    for (auto const& [query, expected] : cases) {
        for (int i = 0; i < 8; ++i)
            BOOST_TEST(read(query).has_value(), query);
        BOOST_TEST((method.extent == expected), query);
        BOOST_TEST((expected == Extent::snapshot || sent.size() == 1), query);
    }
}

BOOST_AUTO_TEST_CASE(where_a_connection_without_a_snapshot_is_lost_all_is_to_be_read_in_one) {
    auto const owner = server::open_owner();
    auto lost = server::open(server::reader());
    db::SqlText kill = db::SqlPiece("KILL ");
    server::command(*owner, kill.integer(std::uint64_t{std::stoull(server::connection_id(*lost))}));
    auto const selected = plan("pagination[withCount]=false");
    for (bool const is_in_snapshot : {false, true}) {
        auto const tree = db::execute(selected, db::method_for(selected, db::Forms::chosen), *lost,
                                      {limits, deadline, memory}, sent);
        BOOST_TEST(!tree.has_value());
        BOOST_TEST(db::needs_snapshot(tree, *lost) == !is_in_snapshot);
        lost->begin_snapshot(); // in vain; it would have been replaced by who began one
    }
    auto const tree = read("pagination[withCount]=false");
    BOOST_TEST(tree.has_value());
    BOOST_TEST(!db::needs_snapshot(tree, *connection));
}

BOOST_AUTO_TEST_CASE(however_often_it_was_read_a_plan_gives_the_same) {
    std::string const queries[] = {
        "fields=title&pagination[pageSize]=5",              // narrow, full
        "fields=title&pagination[pageSize]=100",            // narrow, not full
        "fields=title&pagination[page]=1000",               // past the end
        "pagination[pageSize]=5&populate=*",                // wide, and with all that there is
        "pagination[pageSize]=100&populate=*",              // many
        "fields=id&filters[id]=7&populate[tags]=true",      // one
        "fields=id&filters[id]=0&populate[tags]=true",      // none
        "fields=id&pagination[pageSize]=5&sort=title:desc", // sorted
        "fields=id&pagination[limit]=-1&populate[category][fields]=name",
    };
    for (std::string const& query : queries) {
        auto const first = read(query);
        BOOST_TEST_REQUIRE(first.has_value(), query);
        for (int i = 0; i < 9; ++i) {
            auto const again = read(query);
            BOOST_TEST_REQUIRE(again.has_value(), query);
            BOOST_TEST((text_of(*again) == text_of(*first)), query);
        }
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
