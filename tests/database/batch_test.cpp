#include "db/mysql/cursor.hpp"
#include "db/mysql/pool.hpp"
#include "tests/database/server.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <string>
#include <vector>

// Several statements at once: each has its own rows, its own error, and nobody else's.

BOOST_AUTO_TEST_SUITE(batch)

namespace {

using namespace std::chrono_literals;
using db::SqlPiece;
using db::SqlText;

std::unique_ptr<db::Connection> open_together(db::SessionOptions const& options = {}) {
    auto connection = server::open(server::reader(), options);
    BOOST_TEST(connection->try_together({}).value());
    return connection;
}

std::vector<SqlText const*> pointers(std::vector<SqlText> const& statements) {
    std::vector<SqlText const*> pointers;
    for (auto const& statement : statements)
        pointers.push_back(&statement);
    return pointers;
}

// The first cells of all rows, each with a space behind it, and how it ended.
struct Read {
    std::string cells = {};
    std::optional<parser::Error> error = {};
};

Read read(db::StatementBatch& batch, bool streamed) {
    Read read;
    if (!streamed) {
        auto rows = batch.next();
        if (!rows) return {.error = rows.error()};
        while (rows->next())
            read.cells.append(rows->text(0)) += ' ';
        return read;
    }
    auto rows = batch.stream_next();
    if (!rows) return {.error = rows.error()};
    for (;;) {
        auto const more = rows->next();
        if (!more) read.error = more.error();
        if (!more || !*more) return read;
        read.cells.append(rows->text(0)) += ' ';
    }
}

// More than a socket takes, and than the server keeps back.
constexpr SqlPiece many_rows = "SELECT REPEAT('x', 1000) FROM articles a, articles b LIMIT 2000";

} // namespace

BOOST_AUTO_TEST_CASE(results_come_in_the_order_of_the_statements) {
    std::vector<SqlText> const statements = {SqlPiece("SELECT 1 UNION ALL SELECT 2"), many_rows,
                                             SqlPiece("SELECT 3 FROM DUAL WHERE FALSE"),
                                             SqlPiece("SELECT ';'")};
    std::string expected[] = {"1 2 ", {}, "", "; "};
    for (int i = 0; i < 2000; ++i)
        expected[1].append(1000, 'x') += ' ';
    for (bool const is_together : {false, true}) {
        auto const connection = is_together ? open_together() : server::open(server::reader());
        for (unsigned streamed = 0; streamed < 16; ++streamed) {
            auto const sent = pointers(statements);
            parser::Deadline const deadline;
            db::StatementBatch batch(*connection, sent, deadline);
            for (unsigned i = 0; i < 4; ++i) {
                auto const got = read(batch, streamed >> i & 1);
                BOOST_TEST(!got.error);
                BOOST_TEST((got.cells == expected[i]));
            }
        }
        BOOST_TEST(server::ask(*connection, SqlPiece("SELECT 9")) == "9");
    }
}

BOOST_AUTO_TEST_CASE(more_than_one_packet_should_have_is_sent_in_several) {
    auto const connection = open_together();
    std::vector<SqlText> statements(5);
    for (std::size_t i = 0; i < statements.size(); ++i)
        (statements[i] << "SELECT LENGTH(").text(std::string(10'000 + i, 'x')) << ")";
    auto const sent = pointers(statements);
    parser::Deadline const deadline;
    db::StatementBatch batch(*connection, sent, deadline);
    for (std::size_t i = 0; i < statements.size(); ++i)
        BOOST_TEST(read(batch, i % 2 == 0).cells == std::to_string(10'000 + i) + ' ');
}

BOOST_AUTO_TEST_CASE(the_statement_that_fails_is_the_last) {
    for (bool const streamed : {false, true}) {
        auto const connection = open_together();
        std::vector<SqlText> const statements = {
            SqlPiece("SELECT 1"), SqlPiece("SELECT nothing FROM files"), SqlPiece("SELECT 3")};
        auto const sent = pointers(statements);
        parser::Deadline const deadline;
        db::StatementBatch batch(*connection, sent, deadline);
        BOOST_TEST(read(batch, streamed).cells == "1 ");
        auto const failed = read(batch, streamed);
        BOOST_TEST_REQUIRE(failed.error.has_value());
        BOOST_TEST((failed.error->kind == parser::ErrorKind::schema_changed));
        BOOST_TEST(connection->is_broken());
    }
}

// Connector/C++ takes an error for the end of the rows; then no result may follow.
BOOST_AUTO_TEST_CASE(a_stream_that_was_cut_short_is_an_error_with_results_to_follow) {
    for (bool const streamed : {false, true}) {
        auto const connection = open_together({.statement_timeout = 300ms});
        std::vector<SqlText> const statements = {
            SqlPiece("SELECT REPEAT('x', 4000) FROM articles a, articles b, articles c"),
            SqlPiece("SELECT 2")};
        auto const sent = pointers(statements);
        parser::Deadline const deadline;
        db::StatementBatch batch(*connection, sent, deadline);
        auto first = read(batch, true);
        BOOST_TEST(!first.cells.empty());
        if (!first.error) {
            auto const next = read(batch, streamed);
            BOOST_TEST(next.cells.empty());
            first.error = next.error;
        }
        BOOST_TEST_REQUIRE(first.error.has_value());
        BOOST_TEST((first.error->kind == parser::ErrorKind::timed_out), first.error->cause);
        BOOST_TEST(first.error->cause.find("1969") != std::string::npos, first.error->cause);
        BOOST_TEST(connection->is_broken());
    }
}

BOOST_AUTO_TEST_CASE(given_up_with_results_to_come_the_connection_is_broken) {
    std::vector<SqlText> const statements = {SqlPiece("SELECT 1"), many_rows};
    auto const sent = pointers(statements);
    parser::Deadline const deadline;
    for (std::size_t read_before : {0, 1, 2}) {
        auto const connection = open_together();
        {
            db::StatementBatch batch(*connection, sent, deadline);
            for (std::size_t i = 0; i < read_before; ++i)
                BOOST_TEST(!read(batch, true).error);
        }
        BOOST_TEST(connection->is_broken() == (read_before == 1));
    }
}

BOOST_AUTO_TEST_CASE(who_may_write_sends_one_statement_at_a_time) {
    auto const owner = server::open_owner();
    BOOST_TEST(!owner->try_together({}).value());
    BOOST_TEST(server::ask(*owner, SqlPiece("SELECT 9")) == "9");
}

// MaxScale's readwritesplit sends several statements to the primary, whatever has the transaction.
BOOST_AUTO_TEST_CASE(what_is_answered_elsewhere_or_refused_is_sent_one_at_a_time) {
    faults::ChaosProxy between(server::setting("POPULATE_TEST_SOCKET"));
    auto url = server::reader();
    url.socket.clear();
    url.host = "127.0.0.1";
    url.port = between.port();
    struct {
        std::string from, to;
        bool is_together;
    } const cases[] = {
        {"; SELECT", "; SELECT", true},
        {"; SELECT CONCAT_WS", "; SELECT concat_ws", true}, // the same reply by other words
        {"; SELECT", "; SELEKT", false},
        {"; SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id",
         "; SELECT CONCAT_WS(' ', @@hostname, @@port, @@version  ", false},
    };
    for (auto const& [from, to, is_together] : cases) {
        between.set({.from = from, .to = to});
        db::Pool pool(url, {}, 1);
        auto lease = pool.snapshot(10s);
        BOOST_TEST_REQUIRE(lease.has_value());
        BOOST_TEST(!(*lease)->is_broken());
        BOOST_TEST((*lease)->try_together({}).value() == is_together, to);
        std::vector<SqlText> const statements = {SqlPiece("SELECT 1"), SqlPiece("SELECT 2")};
        auto const sent = pointers(statements);
        parser::Deadline const deadline;
        db::StatementBatch batch(**lease, sent, deadline);
        BOOST_TEST(read(batch, true).cells == "1 ");
        BOOST_TEST(read(batch, true).cells == "2 ");
    }
}

BOOST_AUTO_TEST_SUITE_END()
