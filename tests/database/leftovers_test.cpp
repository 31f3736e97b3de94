#include "db/mysql/cursor.hpp"
#include "db/mysql/pool.hpp"
#include "db/mysql/wire.hpp"
#include "tests/database/server.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

// These tests look at statements that a server continues after their connection was cut.

BOOST_AUTO_TEST_SUITE(leftovers)

namespace {

using namespace std::chrono_literals;
using db::SqlPiece;

// Whom no watchdog of the process takes for a connection of a pool, and cuts.
struct Observer {
    Observer() { BOOST_TEST_REQUIRE(wire.open(server::owner(), end(), 30s), wire.error()); }

    std::uint64_t ask(std::string const& sql) {
        auto rows = wire.query(sql, end());
        BOOST_TEST_REQUIRE((rows && rows->next()), wire.error());
        return std::stoull(std::string(rows->text(0)));
    }
    std::uint64_t statements_in_flight() {
        return ask("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'populate'"
                   " AND (INFO LIKE 'SELECT LENGTH(REPLACE%' OR COMMAND = 'Killed')");
    }

  private:
    static db::Wire::Clock::time_point end() { return db::Wire::Clock::now() + 30s; }

    db::Interrupter interrupter;
    db::Wire wire{interrupter};
};

// A statement that takes the server one or two seconds, whatever it is told meanwhile: it looks
// between rows alone.
db::SqlText long_row(Observer& observer) {
    auto const with_length = [](std::uint64_t length) {
        db::SqlText sql = SqlPiece("SELECT LENGTH(REPLACE(REPEAT(_binary 'a', ");
        return sql.integer(length) << "), _binary 'a', _binary 'bb'))";
    };
    auto const time = [&](std::uint64_t length) -> std::chrono::duration<double> {
        auto const begin = std::chrono::steady_clock::now();
        observer.ask(with_length(length).str());
        return std::chrono::steady_clock::now() - begin;
    };
    // It takes the square of the length; what took longer once may have waited for the machine.
    for (std::uint64_t length = 5'000;; length *= 2) {
        auto took = time(length);
        for (int i = 0; i < 2 && took > 100ms; ++i)
            took = std::min(took, time(length));
        if (took > 100ms)
            return with_length(static_cast<std::uint64_t>(static_cast<double>(length) *
                                                          std::sqrt(1.5 / took.count())));
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_server_never_has_more_statements_in_flight_than_there_are_slots) {
    constexpr std::size_t places = 2;
    Observer observer;
    auto const statement = long_row(observer);
    db::PoolUsage usage;
    db::Pool pool(server::reader(), {.statement_timeout = 200ms}, places);
    pool.report_to(usage);
    std::atomic<std::size_t> cut_off = 0, refused = 0;
    std::vector<std::jthread> askers;
    for (std::size_t i = 0; i < 2 * places; ++i)
        askers.emplace_back([&](std::stop_token const& stopped) {
            while (!stopped.stop_requested()) {
                auto leased = pool.snapshot(100ms);
                if (!leased)
                    ++refused;
                else if (!(*leased)->query(statement))
                    ++cut_off;
            }
        });
    std::uint64_t most = 0;
    server::wait_until([&] {
        most = std::max(most, observer.statements_in_flight());
        return cut_off >= 2 * places; // so places came back
    });
    askers.clear();
    BOOST_TEST(most == places);
    BOOST_TEST(refused > 0U);
    server::wait_until([&] { return pool.snapshot(100ms).has_value(); });
    server::wait_until([&] { return observer.statements_in_flight() == 0; });
    server::wait_until([&] { return usage.open == usage.idle; });
}

BOOST_AUTO_TEST_CASE(a_statement_that_was_given_up_and_has_ended_takes_no_slot) {
    db::Pool pool(server::reader(), {}, 1);
    for (int round = 0; round < 20; ++round) {
        auto const leased = pool.snapshot(10s);
        BOOST_TEST_REQUIRE(leased.has_value());
        db::SqlText const rows = SqlPiece("SELECT 1 UNION SELECT 2");
        db::SqlText const* const statements[] = {&rows};
        db::StatementBatch batch(**leased, statements, {});
        BOOST_TEST(batch.stream_next().has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_say_what_it_does_gives_the_slot_back_in_time) {
    auto url = server::reader();
    faults::ChaosProxy proxy(url.socket + ".proxy", url.socket);
    url.socket += ".proxy";
    db::Pool pool(url, {.statement_timeout = 500ms}, 1);
    for (bool const comes_back : {true, false}) {
        {
            auto const leased = pool.snapshot(10s);
            BOOST_TEST_REQUIRE(leased.has_value());
            proxy.set({.hold_replies = true});
            BOOST_TEST((*leased)->query(SqlPiece("SELECT 1")).has_error());
        }
        BOOST_TEST(pool.acquire(20ms).has_error());
        if (comes_back) proxy.heal();
        server::wait_until([&] { return pool.acquire(100ms).has_value(); });
        proxy.heal();
    }
}

BOOST_AUTO_TEST_SUITE_END()
