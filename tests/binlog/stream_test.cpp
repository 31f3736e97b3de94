#include "shop.hpp"

#include <utility>

using namespace shop;

BOOST_AUTO_TEST_SUITE(stream)

namespace {

// Keeps what was read of a table, as a cache would.
struct CachingFixture {
    CachingFixture() {
        make_tables(write);
        following.await_epoch();
        inquirer.emplace(following.log);
    }

    // The tag of a snapshot of the reader's that begins now.
    db::Tag tag(Tables const& tables) {
        auto const tag = following.log.tag_for(*reader, tables);
        server::command(*reader, SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
        server::command(*reader, SqlPiece("COMMIT"));
        return tag;
    }

    // A tag that holds, and that the stream has come past.
    db::Tag fresh_tag(Tables const& tables) {
        db::Tag fresh;
        server::wait_until([&] {
            inquirer->confirmed_epoch();
            fresh = tag(tables);
            return holds(fresh, tables);
        });
        return fresh;
    }

    // Tags hold again some time after the log's file changed.
    void settle_after_rotation(Tables const& tables) {
        server::wait_until([&] {
            write({"UPDATE orders SET price = price + 1"});
            inquirer->confirmed_epoch();
            return holds(tag(tables), tables);
        });
    }

    // To a request that arrives now.
    bool holds(db::Tag const& tag, Tables const& tables) {
        auto const epoch = inquirer->confirmed_epoch();
        return epoch != 0 && epoch == tag.epoch && following.log.holds(tag, tables);
    }

    Writer write;
    Following following;
    std::unique_ptr<db::Connection> reader = server::open(server::reader());
    std::optional<Inquirer> inquirer;
    Tables goods{following.log.table("goods")};
    Tables orders{following.log.table("orders")};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_tag_holds_until_one_of_its_tables_changes, CachingFixture) {
    auto const of_goods = fresh_tag(goods);
    auto const of_orders = fresh_tag(orders);
    Tables const both{goods[0], orders[0]};
    auto const of_both = fresh_tag(both);
    write({"UPDATE goods SET price = 11"});
    BOOST_TEST(!holds(of_goods, goods));
    BOOST_TEST(!holds(of_both, both));
    BOOST_TEST(holds(of_orders, orders));
    BOOST_TEST(holds(fresh_tag(both), both));
}

BOOST_FIXTURE_TEST_CASE(an_acknowledged_write_is_known_to_whoever_asks_after_it, CachingFixture) {
    for (int i = 0; i < 300; ++i) {
        auto const before = fresh_tag(goods);
        write({"UPDATE goods SET price = price + 1"});
        BOOST_TEST_REQUIRE(!holds(before, goods), "write " << i);
    }
}

BOOST_FIXTURE_TEST_CASE(a_transaction_changes_its_tables_when_it_is_committed, CachingFixture) {
    auto const of_goods = fresh_tag(goods);
    write({"START TRANSACTION", "UPDATE goods SET price = 12", "SAVEPOINT a",
           "UPDATE orders SET price = 12"});
    BOOST_TEST(holds(of_goods, goods));
    write({"ROLLBACK TO a", "COMMIT"});
    BOOST_TEST(!holds(of_goods, goods));
    auto const of_orders = fresh_tag(orders);
    write({"START TRANSACTION", "UPDATE orders SET price = 13", "ROLLBACK"});
    BOOST_TEST(holds(of_orders, orders));
}

BOOST_FIXTURE_TEST_CASE(names_of_tables_are_the_same_in_any_case, CachingFixture) {
    BOOST_TEST(following.log.table("GOODS") == goods[0]);
    BOOST_TEST(following.log.table("goods", "Content") == goods[0]);
    BOOST_TEST(following.log.table("goods", "other") != goods[0]);
}

BOOST_FIXTURE_TEST_CASE(statements_and_ddl_change_everything, CachingFixture) {
    char const* const statements[] = {"CREATE TABLE ledger (id INT)",
                                      "ALTER TABLE ledger ADD x INT", "TRUNCATE ledger",
                                      "DROP TABLE ledger", "ANALYZE TABLE goods"};
    auto const run = [&](std::string const& statement) {
        auto const connection = std::system(("mariadb --no-defaults --user=root --socket=" +
                                             server::setting("POPULATE_TEST_SOCKET") +
                                             " content -e '" + statement + "' >/dev/null")
                                                .c_str());
        BOOST_TEST_REQUIRE(connection == 0);
    };
    for (std::string const statement : statements) {
        auto const before = fresh_tag(orders);
        run(statement);
        BOOST_TEST(!holds(before, orders), statement);
    }
    for (std::string const format : {"MIXED", "STATEMENT"}) {
        auto const before = fresh_tag(orders);
        run("SET binlog_format = " + format + "; UPDATE goods SET price = 14 WHERE id = 1");
        BOOST_TEST(!holds(before, orders), format);
    }
}

BOOST_FIXTURE_TEST_CASE(xa_changes_everything_when_it_is_over, CachingFixture) {
    write({"XA START 'x'", "UPDATE goods SET price = 15", "XA END 'x'", "XA PREPARE 'x'"});
    auto const before = fresh_tag(goods);
    write({"XA COMMIT 'x'"});
    BOOST_TEST(!holds(before, goods));
}

BOOST_FIXTURE_TEST_CASE(a_table_that_is_registered_late_counts_as_changed, CachingFixture) {
    write({"CREATE TABLE ledger (id INT)", "INSERT INTO ledger VALUES (1)"});
    auto const before = fresh_tag(orders);
    write({"INSERT INTO ledger VALUES (2)"});
    BOOST_TEST(holds(before, orders)); // so the stream has come past it
    Tables const ledger{following.log.table("ledger")};
    BOOST_TEST(!following.log.holds(before, ledger));
    BOOST_TEST(holds(fresh_tag(ledger), ledger));
}

// MariaDB says what is visible only once a checkpoint has come, and something after it.
BOOST_FIXTURE_TEST_CASE(a_rotation_changes_nothing, CachingFixture) {
    auto const epoch = following.log.epoch();
    for (int i = 0; i < 5; ++i) {
        auto const before = fresh_tag(goods);
        write({"FLUSH BINARY LOGS"});
        BOOST_TEST(following.log.holds(before, orders));
        write({"UPDATE goods SET price = price + 1"});
        BOOST_TEST(!holds(before, goods));
        settle_after_rotation(goods);
    }
    BOOST_TEST(following.log.epoch() == epoch);
}

BOOST_FIXTURE_TEST_CASE(the_last_tag_serves_as_long_as_it_is_high_enough, CachingFixture) {
    Tables const both{goods[0], orders[0]};
    fresh_tag(both);
    auto const asked = following.usage.tags_asked.load();
    for (int i = 0; i < 10; ++i)
        BOOST_TEST(holds(tag(both), both));
    BOOST_TEST(following.usage.tags_asked == asked);
}

// Since 11.7 MariaDB makes a file of the log of what a large transaction has written.
BOOST_FIXTURE_TEST_CASE(a_large_transaction_changes_its_tables, CachingFixture) {
    write({"CREATE TABLE ledger (id INT PRIMARY KEY AUTO_INCREMENT, page LONGTEXT)"});
    Tables const ledger{following.log.table("ledger")};
    auto const of_goods = fresh_tag(goods);
    auto const of_ledger = fresh_tag(ledger);
    if (write.ask("SELECT VERSION()").starts_with("11."))
        write({"SET GLOBAL binlog_large_commit_threshold = 10485760"});
    write({"START TRANSACTION"});
    for (int i = 0; i < 12; ++i)
        write({"INSERT INTO ledger (page) VALUES (REPEAT('x', 1024 * 1024))"});
    write({"COMMIT"});
    BOOST_TEST(!holds(of_ledger, ledger));
    BOOST_TEST(holds(of_goods, goods));
    settle_after_rotation(ledger); // MariaDB 11.8 makes it a file of the log
    auto const after = tag(ledger);
    write({"UPDATE ledger SET page = '' WHERE id = 1"});
    BOOST_TEST(!holds(after, ledger));
}

BOOST_FIXTURE_TEST_CASE(a_compressed_transaction_changes_everything, CachingFixture,
                        *boost::unit_test::precondition([](auto) { return !is_mariadb(); })) {
    auto const epoch = following.log.epoch();
    auto const of_orders = fresh_tag(orders);
    write({"SET SESSION binlog_transaction_compression = ON", "UPDATE goods SET price = 18"});
    BOOST_TEST(!holds(of_orders, orders));
    BOOST_TEST(holds(fresh_tag(goods), goods));
    BOOST_TEST(following.log.epoch() == epoch);
}

BOOST_FIXTURE_TEST_CASE(a_connection_to_another_server_gives_no_tag, CachingFixture,
                        *boost::unit_test::precondition([](auto) { return is_mariadb(); })) {
    fresh_tag(goods);
    write({"SET GLOBAL server_id = 2"}); // as another one would have it
    auto const elsewhere = server::open(server::reader());
    BOOST_TEST((elsewhere->server().value() != reader->server().value()));
    write({"SET GLOBAL server_id = 1"});
    BOOST_TEST((following.log.tag_for(*reader, goods).epoch != 0));
    server::wait_until([&] { // told at the next heartbeat
        BOOST_TEST((following.log.tag_for(*elsewhere, goods).epoch == 0));
        return !following.told<db::ServersDiffer>().empty();
    });
    BOOST_TEST(following.told<db::ServersDiffer>().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_is_lost_gives_no_tag, CachingFixture) {
    fresh_tag(goods);
    auto const lost = server::open(server::reader());
    write({"UPDATE goods SET price = 19"});
    fresh_tag(goods);
    server_is_to("kill");
    BOOST_TEST((following.log.tag_for(*lost, goods).epoch == 0));
    server_is_to("start");
}

BOOST_FIXTURE_TEST_CASE(a_log_that_begins_anew_ends_the_epoch, CachingFixture) {
    auto const before = fresh_tag(goods);
    auto const epoch = following.log.epoch();
    write.reset_log();
    BOOST_TEST(!holds(before, goods));
    following.await_epoch(epoch);
    BOOST_TEST(!holds(before, goods));
    write({"UPDATE goods SET price = 16"});
    BOOST_TEST(holds(fresh_tag(goods), goods));
    BOOST_TEST(following.told<db::EpochEnded>().size() > 0U);
}

BOOST_FIXTURE_TEST_CASE(a_log_that_begins_anew_and_ends_where_it_did_ends_the_epoch,
                        CachingFixture) {
    SqlPiece const update("UPDATE goods SET price = price + 1");
    write.reset_log();
    write({update});
    for (unsigned long i = 0; i < server::number("RESETS", 5); ++i) {
        auto const before = fresh_tag(goods);
        write.replace_log(update);
        BOOST_TEST(!holds(before, goods), "reset " << i);
    }
}

// Nobody asks until the log is as long again.
BOOST_FIXTURE_TEST_CASE(what_holds_until_now_is_of_the_log_that_was_read, CachingFixture) {
    write.reset_log();
    write({"UPDATE goods SET price = price + 1"});
    auto const before = fresh_tag(goods);
    BOOST_TEST(following.log.holds_until_now(before, goods, {}));
    write.reset_log();
    write({"UPDATE goods SET price = price + 1"});
    BOOST_TEST(!following.log.holds_until_now(before, goods, {}));
}

BOOST_FIXTURE_TEST_CASE(a_log_that_is_purged_is_followed_further, CachingFixture) {
    fresh_tag(goods);
    write({"FLUSH BINARY LOGS"});
    if (is_mariadb())
        write({"PURGE BINARY LOGS BEFORE NOW()"});
    else
        write({"PURGE BINARY LOGS BEFORE '2100-01-01'"});
    settle_after_rotation(goods);
    auto const before = tag(goods);
    write({"UPDATE goods SET price = 17"});
    BOOST_TEST(!holds(before, goods));
    settle_after_rotation(goods);
}

BOOST_FIXTURE_TEST_CASE(a_stream_that_is_cut_ends_the_epoch, CachingFixture) {
    auto const before = fresh_tag(goods);
    auto const epoch = following.log.epoch();
    auto const id = write.ask("SELECT ID FROM information_schema.PROCESSLIST"
                              " WHERE COMMAND = 'Binlog Dump' ORDER BY ID DESC LIMIT 1");
    BOOST_TEST_REQUIRE(
        std::system(("mariadb --no-defaults --user=root --socket=" +
                     server::setting("POPULATE_TEST_SOCKET") + " -e 'KILL " + id + "'")
                        .c_str()) == 0);
    following.await_epoch(epoch);
    BOOST_TEST(!holds(before, goods));
    BOOST_TEST(holds(fresh_tag(goods), goods));
    auto const ended = following.told<db::EpochEnded>();
    BOOST_TEST_REQUIRE(ended.size() == 1U);
    BOOST_TEST(ended[0].epoch == epoch);
    BOOST_TEST(ended[0].why != "");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_killed_ends_the_epoch, CachingFixture) {
    auto const before = fresh_tag(goods);
    auto const epoch = following.log.epoch();
    server_is_to("kill");
    server::wait_until([&] { return following.log.epoch() == 0; });
    BOOST_TEST(!holds(before, goods));
    BOOST_TEST((following.log.tag_for(*reader, goods).epoch == 0));
    server_is_to("start");
    following.await_epoch(epoch);
    reader = server::open(server::reader());
    BOOST_TEST(!holds(before, goods));
    BOOST_TEST(holds(fresh_tag(goods), goods));
}

BOOST_FIXTURE_TEST_CASE(it_stops_within_moments_whatever_the_server_does, CachingFixture) {
    // A wait for a heartbeat would take two minutes, and one for a connection five seconds.
    db::ChangeLog::Settings const settings{.url = follower(), .heartbeat = 30s};
    std::optional<Following> other(std::in_place, settings);
    other->await_epoch();
    server_is_to("pause");
    auto before = Clock::now();
    other.reset();
    BOOST_TEST((Clock::now() - before < 10s));
    // And while it connects.
    other.emplace(settings);
    std::this_thread::sleep_for(200ms);
    before = Clock::now();
    other.reset();
    BOOST_TEST((Clock::now() - before < 4s));
    server_is_to("continue");
}

BOOST_AUTO_TEST_SUITE_END()
