#include "packets.hpp"

#include "db/binlog/follower.hpp"
#include "db/binlog/row_changes.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(follower)

namespace {

constexpr auto own_bytes = "\x3e\x11\xfa\x47\x71\xca\x11\xe1\x9e\x33\xc8\x0a\xa9\x42\x95\x62";
constexpr auto own_uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
constexpr std::uint64_t begin = 1'000;

db::Position at(std::uint64_t offset, std::uint64_t file = 3) {
    return db::position_in(file, offset);
}

struct Followed {
    explicit Followed(bool mysql = false)
        : follower(changes, usage, at(begin), mysql ? own_uuid : "") {
        changes.begin(1, mysql ? 50 : at(begin), at(begin));
    }

    db::Ending end(std::vector<std::string> const& events) {
        for (auto const& event : events)
            if (auto ending = follower.take(event)) return *ending;
        return {};
    }
    std::string take(std::vector<std::string> const& events) { return end(events).why; }
    bool holds(std::uint64_t tag, db::ChangeLog::Table const* table) {
        return changes.holds({1, tag}, std::span(&table, 1));
    }

    db::LastChanges changes;
    db::ChangeLogUsage usage;
    db::Follower follower;
    db::ChangeLog::Table const* goods = changes.table("shop", "goods");
    db::ChangeLog::Table const* orders = changes.table("shop", "orders");
};

std::string xid(std::uint32_t end) {
    return packets::event({.kind = 16, .end = end}, packets::number(9, 8));
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_last_transaction_is_the_landmark_of_its_log, Followed) {
    BOOST_TEST(!changes.landmark());
    take({packets::rotate("bin.000003", 1'000), packets::gtid(1'100), xid(1'300)});
    auto const landmark = changes.landmark();
    BOOST_TEST_REQUIRE(landmark.has_value());
    BOOST_TEST(landmark->file == "bin.000003");
    BOOST_TEST(landmark->offset == 1'300 - xid(1'300).size());
    BOOST_TEST(landmark->text == "COMMIT /* xid=9 */");
    // A file of the next name is of the same
    take({packets::rotate("bin.000004", 4), packets::gtid(1'100)});
    BOOST_TEST(changes.landmark()->file == "bin.000003");
    take({packets::rotate("it's.000005", 4), packets::gtid(1'100), xid(1'300)});
    BOOST_TEST(changes.landmark()->file == "bin.000003"); // no name to ask by
}

BOOST_FIXTURE_TEST_CASE(a_table_changes_within_its_transaction, Followed) {
    BOOST_TEST(holds(at(begin), goods));
    BOOST_TEST(take({packets::gtid(1'100), packets::query(1'150, "BEGIN"),
                     packets::table_map(1'200, "goods"), xid(1'300)}) == "");
    BOOST_TEST(!holds(at(1'100), goods));
    BOOST_TEST(holds(at(1'300), goods));
    BOOST_TEST(holds(at(begin), orders));
    BOOST_TEST(follower.position() == at(1'300));
}

// MariaDB 11.4 writes no end into the events between the first and the last.
BOOST_FIXTURE_TEST_CASE(events_without_an_end_are_where_they_are, Followed) {
    BOOST_TEST(take({packets::gtid(1'100), packets::query(0, "BEGIN"),
                     packets::table_map(0, "goods")}) == "");
    BOOST_TEST(!holds(at(1'100), goods));
    BOOST_TEST(follower.position() > at(1'100));
    BOOST_TEST(take({xid(1'300)}) == "");
    BOOST_TEST(holds(at(1'300), goods));
    BOOST_TEST(follower.position() == at(1'300));
}

BOOST_AUTO_TEST_CASE(statements_change_everything_and_frames_of_transactions_nothing) {
    for (auto const* sql : {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT `a`", "ROLLBACK TO `a`"}) {
        Followed log;
        BOOST_TEST(log.take({packets::query(1'100, sql)}) == "", sql);
        BOOST_TEST(log.holds(at(begin), log.goods), sql);
        BOOST_TEST(log.follower.statements() == 0U);
    }
    for (auto const* sql :
         {"DROP TABLE x", "UPDATE goods SET a = 1", "BEGIN NOT ATOMIC SELECT 1; END",
          "XA COMMIT X'61',X'',1", "", "begin", "ROLLBACKX"}) {
        Followed log;
        BOOST_TEST(log.take({packets::query(1'100, sql)}) == "", sql);
        BOOST_TEST(!log.holds(at(begin), log.goods), sql);
        BOOST_TEST(log.holds(at(1'100), log.goods), sql);
    }
    Followed log;
    log.take({packets::query(1'100, "/* by hand */ delete from goods")});
    BOOST_TEST(log.follower.last_statement() == "by");
    log.take({packets::query(1'200, "  update goods set price = 1")});
    BOOST_TEST(log.follower.last_statement() == "update");
    BOOST_TEST(log.follower.statements() == 2U);
}

BOOST_AUTO_TEST_CASE(statements_that_change_rows_leave_tables_and_columns_as_they_are) {
    std::pair<char const*, bool> const table[] = {
        {"UPDATE goods SET a = 1", true},
        {"insert into goods values (1)", true},
        {"DELETE FROM goods", true},
        {"REPLACE goods VALUES (1)", true},
        {"/* delete */ DROP TABLE goods", false},
        {" update goods set a = 1", false},
        {"ALTER TABLE goods ADD b INT", false},
        {"TRUNCATE goods", false},
        {"UPDATED", false},
    };
    for (auto const& [sql, leaves] : table) {
        Followed log;
        BOOST_TEST(log.take({packets::query(1'100, sql)}) == "", sql);
        BOOST_TEST(log.changes.structure_holds({1, at(begin)}) == leaves, sql);
        BOOST_TEST(log.changes.structure_holds({1, at(1'100)}), sql);
        BOOST_TEST(!log.changes.structure_holds({2, at(1'100)}), sql);
    }
}

BOOST_AUTO_TEST_CASE(another_reader_may_begin_between_two_transactions_only) {
    struct Row {
        char const* what;
        std::vector<std::string> events;
        bool is_between;
    };
    Row const mariadb[] = {
        {"nothing", {}, true},
        {"a transaction begins", {packets::gtid(1'100)}, false},
        {"its rows", {packets::gtid(1'100), packets::table_map(1'200, "goods")}, false},
        {"a savepoint", {packets::gtid(1'100), packets::query(1'200, "SAVEPOINT `a`")}, false},
        {"it ends", {packets::gtid(1'100), packets::table_map(1'200, "goods"), xid(1'300)}, true},
        {"of MyISAM", {packets::gtid(1'100), packets::query(1'200, "COMMIT")}, true},
        {"a statement alone begins", {packets::gtid(1'100, 1)}, false},
        {"it ends", {packets::gtid(1'100, 1), packets::query(1'200, "DROP TABLE x")}, true},
        {"a heartbeat",
         {packets::gtid(1'100), packets::event({.kind = 27, .end = 1'200}, "")},
         true},
    };
    for (auto const& [what, events, is_between] : mariadb) {
        Followed log;
        BOOST_TEST(log.take(events) == "", what);
        BOOST_TEST(log.follower.is_between() == is_between, what);
    }
    auto const begin_mysql = packets::gtid_log(1'050, own_bytes, 51);
    Row const mysql[] = {
        {"a transaction", {begin_mysql, packets::query(1'100, "BEGIN")}, false},
        {"that makes a table",
         {begin_mysql, packets::query(1'100, "BEGIN"), packets::query(1'200, "CREATE TABLE x")},
         false},
        {"it ends", {begin_mysql, packets::query(1'100, "BEGIN"), xid(1'200)}, true},
        {"a statement alone", {begin_mysql, packets::query(1'100, "DROP TABLE x")}, true},
        {"XA", {begin_mysql, packets::query(1'100, "XA START X'61',X'',1")}, false},
    };
    for (auto const& [what, events, is_between] : mysql) {
        Followed log(true);
        BOOST_TEST(log.take(events) == "", what);
        BOOST_TEST(log.follower.is_between() == is_between, what);
    }
}

BOOST_FIXTURE_TEST_CASE(a_journal_has_what_changes_and_not_what_is_told_apart_from_now_on,
                        Followed) {
    db::Journal journal;
    changes.write_to(&journal);
    changes.tell_apart(goods, 0, 2);
    BOOST_TEST(journal.is_empty());
    take({packets::gtid(1'100), packets::table_map(1'200, "goods"),
          packets::table_map(1'250, "unknown"), xid(1'300)});
    BOOST_TEST((journal.tables == std::set{goods}));
    BOOST_TEST(!journal.rows_of_all);
    take({packets::query(1'400, "UPDATE goods SET a = 1")});
    BOOST_TEST(journal.rows_of_all);
    BOOST_TEST(!journal.structure);
    take({packets::query(1'500, "DROP TABLE goods")});
    BOOST_TEST(journal.structure);
    journal.clear();
    BOOST_TEST(journal.is_empty());
}

BOOST_FIXTURE_TEST_CASE(a_journal_of_too_much_says_that_everything_changes, Followed) {
    db::Journal journal;
    for (std::uint64_t i = 0; i < 10'000; ++i) // the same one
        journal.add(db::RowTag{goods, db::RowTag::Aspect::inserted});
    BOOST_TEST(journal.tags.size() == 1U);
    BOOST_TEST(!journal.rows_of_all);
    for (std::uint64_t i = 0; i < 10'000; ++i)
        journal.add(db::RowTag{goods, db::RowTag::Aspect::value, 0, db::tag_value(i)});
    BOOST_TEST(journal.tags.empty());
    BOOST_TEST(journal.rows_of_all);
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_changes_everything_or_ends_the_epoch) {
    for (unsigned const kind : {1U, 26U, 38U, 40U, 99U, 164U, 165U, 200U, 255U}) {
        Followed log;
        BOOST_TEST(log.take({packets::event({.kind = kind, .end = 1'100}, "body")}) == "", kind);
        BOOST_TEST(!log.holds(at(begin), log.goods), kind);
    }
    for (unsigned const kind : {1U, 26U, 34U, 37U, 42U, 99U, 255U}) {
        Followed log(true);
        BOOST_TEST(log.take({packets::gtid_log(1'050, own_bytes, 51),
                             packets::event({.kind = kind, .end = 1'100}, "body")}) != "",
                   kind);
    }
    for (auto const& broken : {std::string(), std::string(18, 'x'), std::string(19, '\0'),
                               packets::event({.kind = 19, .end = 1'100, .checksum = false}, "x"),
                               packets::event({.kind = 2, .end = 1'100, .checksum = false}, "x"),
                               packets::event({.kind = 162, .end = 1'100, .checksum = false}, "x")})
        BOOST_TEST(Followed().take({broken}) != "");
}

BOOST_FIXTURE_TEST_CASE(xa_changes_everything_when_it_is_prepared_and_when_it_is_over, Followed) {
    BOOST_TEST(take({packets::gtid(1'100, 0x40)}) == "");
    BOOST_TEST(!holds(at(begin), orders));
    BOOST_TEST(take({packets::gtid(1'200, 0x80)}) == "");
    BOOST_TEST(!holds(at(1'100), orders));
    BOOST_TEST(holds(at(1'200), orders));
}

BOOST_FIXTURE_TEST_CASE(the_log_goes_on_in_the_next_file, Followed) {
    BOOST_TEST(take({packets::rotate("log.000003", begin, false), // as each stream begins
                     packets::event({.kind = 15, .end = 0}, std::string(80, 'x')),
                     packets::rotate("log.000004", 4), packets::gtid(200),
                     packets::table_map(300, "goods")}) == "");
    BOOST_TEST(follower.position() == at(300, 4));
    BOOST_TEST(!holds(at(200, 4), goods));
    BOOST_TEST(holds(at(300, 4), goods));
}

BOOST_AUTO_TEST_CASE(a_log_that_goes_back_ends_the_epoch) {
    for (auto const& back : {packets::rotate("log.000002", 4), packets::rotate("log.000003", 4),
                             packets::rotate("log", 4), packets::rotate("log.00000x", 4),
                             packets::gtid(999), packets::query(4, "BEGIN")})
        BOOST_TEST(Followed().take({back}) != "");
}

BOOST_AUTO_TEST_CASE(a_heartbeat_tells_how_far_the_log_was_sent) {
    auto const heartbeat = [](std::uint32_t end) {
        return packets::event({.kind = 27, .end = end}, "log.000003");
    };
    Followed log;
    BOOST_TEST(log.take({heartbeat(1'500)}) == "");
    BOOST_TEST(log.follower.position() == at(1'500));
    BOOST_TEST(log.take({heartbeat(1'400)}) == "");
    BOOST_TEST(log.follower.position() == at(1'500));
    BOOST_TEST(log.holds(at(begin), log.goods));
}

BOOST_AUTO_TEST_CASE(changes_of_mysql_have_the_numbers_of_their_transactions) {
    Followed log(true);
    BOOST_TEST(log.take({packets::gtid_log(1'100, own_bytes, 51), packets::query(1'150, "BEGIN"),
                         packets::table_map(1'200, "goods"), xid(1'300)}) == "");
    BOOST_TEST(!log.holds(50, log.goods));
    BOOST_TEST(log.holds(51, log.goods));
    BOOST_TEST(log.holds(50, log.orders));
    BOOST_TEST(log.follower.position() == at(1'300));
    // Out of order, as gtid_next allows it: the higher one counts.
    BOOST_TEST(
        log.take({packets::gtid_log(1'400, own_bytes, 60), packets::table_map(1'500, "goods"),
                  packets::gtid_log(1'600, own_bytes, 52), packets::table_map(1'700, "goods")}) ==
        "");
    BOOST_TEST(!log.holds(59, log.goods));
    BOOST_TEST(log.holds(60, log.goods));
}

BOOST_AUTO_TEST_CASE(a_change_of_mysql_without_a_number_of_its_own_ends_the_epoch_and_has_a_fix) {
    std::pair<std::string, std::string_view> const cases[] = {
        {packets::table_map(1'100, "goods"), "gtid_mode"},
        {packets::query(1'100, "DROP TABLE x"), "gtid_mode"},
        {packets::event({.kind = 34, .end = 1'100}, ""), "gtid_mode"}, // anonymous
        {packets::event({.kind = 42, .end = 1'100}, ""), "gtid_mode"}, // tagged
        {packets::gtid_log(1'100, "0123456789abcdef", 51), "the server that takes all writes"},
    };
    for (auto const& [event, fix] : cases) {
        auto const ending = Followed(true).end({event});
        BOOST_TEST(ending.why != "");
        BOOST_TEST(ending.fix.find(fix) != fix.npos);
    }
}

BOOST_AUTO_TEST_CASE(an_end_of_the_epoch_that_nobody_can_keep_from_coming_again_has_no_fix) {
    BOOST_TEST(Followed().end({"short"}).fix == "");
}

BOOST_AUTO_TEST_SUITE_END()
