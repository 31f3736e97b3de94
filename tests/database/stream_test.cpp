#include "db/mysql/cursor.hpp"
#include "db/mysql/pool.hpp"
#include "tests/database/server.hpp"

#include <string>
#include <thread>
#include <utility>

// Rows that are read as they come. What ends them early is never taken for their end.

BOOST_AUTO_TEST_SUITE(stream)

namespace {

using namespace std::chrono_literals;
using db::SqlPiece;
using Clock = std::chrono::steady_clock;

// More rows than any test reads, of 4 KB each, which the server sends in pieces of 16 KB. None of
// them sleeps: MariaDB may take two seconds to end a statement that it interrupts in SLEEP.
constexpr SqlPiece endless_rows =
    "SELECT REPEAT('x', 4000) FROM articles a, articles b, articles c";

// A statement alone.
struct Asked {
    Asked(db::Connection& connection, db::SqlText text)
        : sql(std::move(text)), batch(connection, {&statement, 1}, deadline) {}

    db::SqlText sql;
    db::SqlText const* statement = &sql;
    parser::Deadline deadline;
    db::StatementBatch batch;
    parser::Result<db::RowStream> rows = batch.stream_next();
};

struct Ended {
    std::size_t rows = 0;
    std::optional<parser::Error> error = {};
};

// `at_row` is called with the number of each.
Ended read_all(db::RowStream& stream, auto at_row) {
    Ended ended;
    for (;;) {
        auto const more = stream.next();
        if (!more) ended.error = more.error();
        if (!more || !*more) return ended;
        at_row(++ended.rows);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(rows_come_until_there_are_no_more) {
    auto const connection = server::open(server::reader());
    std::pmr::monotonic_buffer_resource memory;
    Asked asked(*connection, SqlPiece("SELECT 7, NULL, '', 'a' UNION ALL SELECT 8, 1, 2, 3"));
    auto& rows = asked.rows;
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->next().value());
    BOOST_TEST(rows->id(0) == 7U);
    BOOST_TEST(rows->text(1).data() == nullptr);
    BOOST_TEST(rows->copy(1, memory).data() == nullptr);
    BOOST_TEST(rows->copy(2, memory).data() != nullptr);
    auto const kept = rows->copy(3, memory);
    BOOST_TEST(rows->next().value());
    BOOST_TEST(rows->id(0) == 8U);
    BOOST_TEST(kept == "a");
    BOOST_TEST(!rows->next().value());
    BOOST_TEST(server::ask(*connection, SqlPiece("SELECT 9")) == "9");
}

BOOST_AUTO_TEST_CASE(a_time_limit_between_two_rows_is_an_error) {
    db::SessionOptions options;
    options.statement_timeout = 300ms;
    auto const connection = server::open(server::reader(), options);
    Asked asked(*connection, endless_rows);
    auto& rows = asked.rows;
    BOOST_TEST_REQUIRE(rows.has_value());
    auto const ended = read_all(*rows, [](std::size_t) {});
    BOOST_TEST(ended.rows > 0U);
    BOOST_TEST_REQUIRE(ended.error.has_value());
    BOOST_TEST((ended.error->kind == parser::ErrorKind::timed_out));
    BOOST_TEST(ended.error->cause.find("1969") != std::string::npos, ended.error->cause);
    BOOST_TEST(connection->is_broken());
}

BOOST_AUTO_TEST_CASE(killed_between_two_rows_is_an_error) {
    auto const owner = server::open_owner();
    using enum parser::ErrorKind;
    struct {
        SqlPiece what;
        parser::ErrorKind expected;
    } const cases[] = {{"KILL QUERY ", unavailable}, {"KILL CONNECTION ", connection_lost}};
    for (auto const& [what, expected] : cases) {
        auto const connection = server::open(server::reader());
        db::SqlText kill = what;
        kill.integer(std::uint64_t{std::stoull(server::connection_id(*connection))});
        Asked asked(*connection, endless_rows);
        auto& rows = asked.rows;
        BOOST_TEST_REQUIRE(rows.has_value());
        auto const ended = read_all(*rows, [&](std::size_t row) {
            if (row == 10) server::command(*owner, kill);
        });
        BOOST_TEST_REQUIRE(ended.error.has_value());
        BOOST_TEST((ended.error->kind == expected), ended.error->cause);
        BOOST_TEST(connection->is_broken());
    }
}

BOOST_AUTO_TEST_CASE(wrong_sql_is_an_error_before_the_first_row) {
    auto const connection = server::open(server::reader());
    Asked asked(*connection, SqlPiece("SELECT nothing FROM files"));
    auto& rows = asked.rows;
    BOOST_TEST_REQUIRE(rows.has_error());
    BOOST_TEST((rows.error().kind == parser::ErrorKind::schema_changed));
}

// The connection has to be cut for that: it would have to read what is left.
BOOST_AUTO_TEST_CASE(rows_that_nobody_wants_are_not_read) {
    db::Pool pool(server::reader(), {}, 1);
    std::string given_up;
    auto const start = Clock::now();
    {
        auto lease = pool.snapshot(10s);
        BOOST_TEST_REQUIRE(lease.has_value());
        given_up = server::connection_id(**lease);
        Asked asked(**lease, endless_rows);
        auto& rows = asked.rows;
        BOOST_TEST_REQUIRE(rows.has_value());
        BOOST_TEST(rows->next().value());
    }
    BOOST_TEST((Clock::now() - start < 3s));
    auto next = pool.snapshot(10s);
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST(server::connection_id(**next) != given_up);
}

BOOST_AUTO_TEST_CASE(a_connection_is_not_kept_with_the_memory_of_a_large_row) {
    struct {
        SqlPiece select;
        bool is_kept;
    } const cases[] = {
        {"SELECT REPEAT('x', 100000)", true},
        {"SELECT REPEAT('x', 3000000)", false},
    };
    for (auto const& [select, is_kept] : cases) {
        db::Pool pool(server::reader(), {}, 1);
        std::string first;
        {
            auto lease = pool.snapshot(10s);
            BOOST_TEST_REQUIRE(lease.has_value());
            first = server::connection_id(**lease);
            std::pmr::monotonic_buffer_resource memory;
            Asked asked(**lease, select);
            auto& rows = asked.rows;
            BOOST_TEST_REQUIRE(rows.has_value());
            auto const ended = read_all(*rows, [&](std::size_t) { rows->copy(0, memory); });
            BOOST_TEST((ended.rows == 1U && !ended.error));
        }
        auto next = pool.snapshot(10s);
        BOOST_TEST_REQUIRE(next.has_value());
        BOOST_TEST((server::connection_id(**next) == first) == is_kept);
    }
}

BOOST_AUTO_TEST_SUITE_END()
