#include "tests/database/server.hpp"

#include "db/mysql/pool.hpp"

#include <atomic>
#include <optional>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(pool)

namespace {

using namespace std::chrono_literals;
using db::SqlPiece;

db::Pool::Lease lease(db::Pool& pool) {
    auto leased = pool.snapshot(10s);
    BOOST_TEST_REQUIRE(leased.has_value(), leased.error().cause);
    return std::move(*leased);
}

// The id of the connection that the pool leases next.
std::string next_connection(db::Pool& pool) {
    auto const leased = lease(pool);
    return server::connection_id(*leased);
}

db::SqlText with_id(db::SqlText sql, std::string const& id) {
    return sql.integer(std::uint64_t{std::stoull(id)});
}

} // namespace

BOOST_AUTO_TEST_CASE(a_lease_sees_one_moment) {
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("CREATE OR REPLACE TABLE moments (id INT)"));
    auto const count = SqlPiece("SELECT COUNT(*) FROM moments");
    db::Pool pool(server::reader(), {}, 2);
    {
        auto const early = lease(pool);
        server::command(*owner, SqlPiece("INSERT INTO moments VALUES (1)"));
        auto const late = lease(pool);
        BOOST_TEST(server::ask(*early, count) == "0");
        BOOST_TEST(server::ask(*late, count) == "1");
    }
    // A connection that is leased again sees a new moment.
    BOOST_TEST(server::ask(*lease(pool), count) == "1");
    server::command(*owner, SqlPiece("DROP TABLE moments"));
}

BOOST_AUTO_TEST_CASE(who_waited_for_a_connection_sees_a_new_moment_and_leaves_none_open) {
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("CREATE OR REPLACE TABLE moments (id INT)"));
    db::PoolUsage usage;
    db::Pool pool(server::reader(), {}, 1);
    pool.report_to(usage);
    auto const read = [](db::Pool::Lease const& leased) {
        return server::ask(*leased, SqlPiece("SELECT COUNT(*) FROM moments"));
    };
    std::string late;
    std::thread waiting;
    {
        auto const early = lease(pool);
        BOOST_TEST(read(early) == "0");
        waiting = std::thread([&] { late = read(lease(pool)); });
        server::wait_until([&] { return usage.waiting == 1; });
        server::command(*owner, SqlPiece("INSERT INTO moments VALUES (1)"));
    }
    waiting.join();
    BOOST_TEST(late == "1");
    BOOST_TEST(
        server::ask(*owner, SqlPiece("SELECT COUNT(*) FROM information_schema.INNODB_TRX")) == "0");
    server::command(*owner, SqlPiece("DROP TABLE moments"));
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_for_the_next_lease) {
    db::Pool pool(server::reader(), {}, 2);
    auto const first = next_connection(pool);
    BOOST_TEST(next_connection(pool) == first);
}

BOOST_AUTO_TEST_CASE(two_leases_never_share_a_connection) {
    db::Pool pool(server::reader(), {}, 2);
    auto const first = lease(pool);
    auto const second = lease(pool);
    BOOST_TEST(server::connection_id(*first) != server::connection_id(*second));
}

BOOST_AUTO_TEST_CASE(without_a_free_slot_it_is_503_with_retry_after) {
    db::Pool pool(server::reader(), {}, 1);
    auto const held = lease(pool);
    auto const refused = pool.snapshot(20ms);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST((refused.error().kind == parser::ErrorKind::unavailable));
    BOOST_TEST(refused.error().cause.find("acquire-timeout (20 ms)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_comes_before_a_snapshot_waits_for_a_free_slot) {
    db::Pool pool(server::reader(), {}, 1);
    {
        auto const held = lease(pool);
        BOOST_TEST(pool.acquire(20ms).has_error());
    }
    auto place = pool.acquire(10s);
    BOOST_TEST_REQUIRE(place.has_value());
    BOOST_TEST(place->begin().has_value());
}

BOOST_AUTO_TEST_CASE(who_lost_the_connection_before_the_snapshot_hears_of_it_and_gets_another) {
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("CREATE OR REPLACE TABLE moments (id INT)"));
    db::Pool pool(server::reader(), {}, 1);
    // Asks a connection for its number right before a snapshot begins on it, and writes then.
    std::vector<std::string> asked;
    auto const begin = [&](db::Pool::Lease& lease) {
        BOOST_TEST_REQUIRE(lease.connect().has_value());
        auto rows = lease->query(SqlPiece("SELECT CONNECTION_ID()"));
        asked.emplace_back(rows && rows->next() ? rows->text(0) : "lost");
        server::command(*owner, SqlPiece("INSERT INTO moments VALUES (1)"));
        return lease.try_begin(db::Extent::snapshot);
    };
    std::string id;
    {
        auto place = pool.acquire(10s);
        BOOST_TEST_REQUIRE(place.has_value());
        BOOST_TEST(begin(*place).value());
        id = server::connection_id(**place);
        BOOST_TEST(asked == std::vector{id}, boost::test_tools::per_element());
        BOOST_TEST(server::ask(**place, SqlPiece("SELECT COUNT(*) FROM moments")) == "1");
    }
    // One that the server closed is replaced.
    server::command(*owner, with_id(SqlPiece("KILL "), id));
    {
        auto place = pool.acquire(10s);
        BOOST_TEST_REQUIRE(place.has_value());
        BOOST_TEST(!begin(*place).value());
        BOOST_TEST(begin(*place).value());
        auto const expected = {id, std::string("lost"), server::connection_id(**place)};
        BOOST_TEST(asked == expected, boost::test_tools::per_element());
        BOOST_TEST(server::ask(**place, SqlPiece("SELECT COUNT(*) FROM moments")) == "3");
    }
    server::command(*owner, SqlPiece("DROP TABLE moments"));
}

BOOST_AUTO_TEST_CASE(a_statement_alone_begins_at_once_where_the_connection_was_used_a_moment_ago) {
    using db::Extent;
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("CREATE OR REPLACE TABLE moments (id INT)"));
    db::PoolUsage usage;
    db::Pool pool(server::reader(), {}, 1);
    pool.report_to(usage);
    auto const begun = [&](Extent extent) {
        auto place = pool.acquire(10s);
        BOOST_TEST_REQUIRE(place.has_value());
        BOOST_TEST_REQUIRE(place->begin(extent).has_value());
        return *std::move(place);
    };
    BOOST_TEST(begun(Extent::statement)->is_in_snapshot()); // newly opened
    server::wait_until([&] { return !begun(Extent::statement)->is_in_snapshot(); });
    BOOST_TEST(begun(Extent::snapshot)->is_in_snapshot());
    server::wait_until([&] {
        std::this_thread::sleep_for(20ms);
        return begun(Extent::statement)->is_in_snapshot();
    });
    // Handed over with the snapshot of who had it before, it ends that one.
    std::string late;
    std::thread waiting;
    {
        auto const early = begun(Extent::snapshot);
        waiting = std::thread([&] {
            late = server::ask(*begun(Extent::statement), SqlPiece("SELECT COUNT(*) FROM moments"));
        });
        server::wait_until([&] { return usage.waiting == 1; });
        server::command(*owner, SqlPiece("INSERT INTO moments VALUES (1)"));
    }
    waiting.join();
    BOOST_TEST(late == "1");
    server::command(*owner, SqlPiece("DROP TABLE moments"));
}

BOOST_AUTO_TEST_CASE(a_statement_alone_on_a_connection_that_was_closed_is_asked_in_a_snapshot) {
    auto const owner = server::open_owner();
    db::Pool pool(server::reader(), {}, 1);
    auto const closed = next_connection(pool);
    auto place = pool.acquire(10s);
    BOOST_TEST_REQUIRE(place.has_value());
    server::command(*owner, with_id(SqlPiece("KILL "), closed));
    BOOST_TEST_REQUIRE(place->begin(db::Extent::statement).has_value());
    auto const lost = (*place)->query(SqlPiece("SELECT 1"));
    BOOST_TEST((lost || lost.error().kind == parser::ErrorKind::connection_lost));
    BOOST_TEST_REQUIRE(place->begin(db::Extent::snapshot).has_value());
    BOOST_TEST(server::connection_id(**place) != closed);
}

BOOST_AUTO_TEST_CASE(connections_to_one_server_say_that_it_is_the_same) {
    auto const one = server::open(server::reader());
    auto const other = server::open_owner();
    BOOST_TEST(one->server().value() != "");
    BOOST_TEST(one->server().value() == other->server().value());
    // In a hurry, too.
    auto const late = server::open(server::reader());
    parser::Deadline const soon{parser::Deadline::Clock::now() + 10s};
    BOOST_TEST(late->server(soon).value() == one->server().value());
}

BOOST_AUTO_TEST_CASE(who_waits_gets_the_slot_that_becomes_free) {
    db::Pool pool(server::reader(), {}, 1);
    std::string waited_for;
    std::thread waiting;
    std::string id;
    {
        auto const held = lease(pool);
        id = server::connection_id(*held);
        waiting = std::thread([&] {
            if (auto leased = pool.snapshot(60s)) {
                auto rows = (*leased)->query(SqlPiece("SELECT CONNECTION_ID()"));
                if (rows && rows->next()) waited_for = rows->text(0);
            }
        });
    }
    waiting.join();
    BOOST_TEST(waited_for == id);
}

BOOST_AUTO_TEST_CASE(who_waits_gets_the_slot_before_who_comes_later) {
    db::PoolUsage usage;
    db::Pool pool(server::reader(), {}, 1);
    pool.report_to(usage);
    std::optional held = lease(pool);
    std::atomic<bool> is_enough = false;
    std::thread waiting([&] {
        auto const mine = pool.acquire(10s);
        is_enough.wait(false);
        BOOST_TEST(mine.has_value());
    });
    server::wait_until([&] { return usage.waiting == 1; });
    held.reset();
    BOOST_TEST(!pool.acquire(0ms).has_value());
    is_enough = true;
    is_enough.notify_one();
    waiting.join();
    BOOST_TEST(pool.acquire(0ms).has_value());
}

BOOST_AUTO_TEST_CASE(a_connection_that_the_server_closed_is_replaced_unseen) {
    auto const owner = server::open_owner();
    db::Pool pool(server::reader(), {}, 1);
    auto const stale = next_connection(pool);
    server::command(*owner, with_id(SqlPiece("KILL CONNECTION "), stale));
    server::wait_until([&] {
        return server::ask(*owner,
                           with_id(SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                            " WHERE ID = "),
                                   stale)) == "0";
    });
    BOOST_TEST(next_connection(pool) != stale);
}

BOOST_AUTO_TEST_CASE(a_broken_connection_is_dropped_and_its_slot_is_free) {
    db::Pool pool(server::reader(), {}, 1);
    std::string broken;
    {
        auto const leased = lease(pool);
        broken = server::connection_id(*leased);
        BOOST_TEST(leased->query(SqlPiece("SELECT nothing")).has_error());
    }
    BOOST_TEST(next_connection(pool) != broken);
}

BOOST_AUTO_TEST_CASE(without_a_server_every_attempt_is_502_and_keeps_no_slot) {
    auto url = server::reader();
    url.socket += ".nothing";
    db::Pool pool(url, {}, 1);
    for (int attempt = 0; attempt < 3; ++attempt) {
        auto const refused = pool.snapshot(10s);
        BOOST_TEST_REQUIRE(refused.has_error());
        BOOST_TEST((refused.error().kind == parser::ErrorKind::unreachable));
        BOOST_TEST(refused.error().cause.starts_with("database error 2002"));
    }
}

BOOST_AUTO_TEST_CASE(a_pool_is_as_large_as_the_server_grants_and_tries_for_more_now_and_then) {
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("ALTER USER populate@localhost WITH MAX_USER_CONNECTIONS 2"));
    std::vector<std::string> told;
    db::Pool pool(server::reader(), {}, 4);
    pool.report_granted = [&](std::size_t granted, std::string const& why) {
        told.push_back(std::to_string(granted) + ' ' + why);
    };
    auto const first = lease(pool);
    std::optional second = lease(pool);
    auto const refused = pool.snapshot(100ms);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST((refused.error().kind == parser::ErrorKind::unavailable));
    BOOST_TEST_REQUIRE(told.size() == 1U);
    BOOST_TEST(told[0].starts_with("2 database error 1226"), told[0]);
    BOOST_TEST(told[0].find("`connections`") != std::string::npos, told[0]);
    // Who waits gets the connection of who has one.
    auto const id = server::connection_id(**second);
    std::thread waiting([&] { BOOST_TEST(next_connection(pool) == id); });
    second.reset();
    waiting.join();
    second.emplace(lease(pool));
    server::command(*owner, SqlPiece("ALTER USER populate@localhost WITH MAX_USER_CONNECTIONS 0"));
    std::vector<db::Pool::Lease> more;
    server::wait_until([&] {
        if (auto leased = pool.snapshot(1s)) more.push_back(*std::move(leased));
        return more.size() == 2;
    });
    BOOST_TEST(told.size() == 1U);
}

BOOST_AUTO_TEST_CASE(clearing_closes_the_idle_connections_only) {
    db::Pool pool(server::reader(), {}, 2);
    auto const held = lease(pool);
    auto const idle = next_connection(pool);
    pool.clear();
    BOOST_TEST(server::connection_id(*held) != "");
    BOOST_TEST(next_connection(pool) != idle);
}

BOOST_AUTO_TEST_CASE(many_threads_share_few_connections) {
    db::Pool pool(server::reader(), {}, 3);
    std::mutex mutex;
    std::set<std::string> connections;
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 25; ++turn) {
                auto leased = pool.snapshot(60s);
                if (!leased) continue;
                auto rows = (*leased)->query(SqlPiece("SELECT CONNECTION_ID()"));
                if (!rows || !rows->next()) continue;
                std::lock_guard const lock(mutex);
                connections.emplace(rows->text(0));
                ++answered;
            }
        });
    for (auto& thread : threads)
        thread.join();
    BOOST_TEST(answered == 8 * 25);
    BOOST_TEST(connections.size() <= 3U);
}

BOOST_AUTO_TEST_SUITE_END()
