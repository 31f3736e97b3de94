#include "db/binlog/changes.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(changes)

namespace {

using Table = db::ChangeLog::Table const*;

struct Changes {
    db::LastChanges changes;
    Table const goods = changes.table("shop", "goods");
};

bool holds(db::LastChanges const& changes, db::Tag tag, Table table) {
    return changes.holds(tag, std::span(&table, 1));
}

} // namespace

BOOST_FIXTURE_TEST_CASE(nothing_holds_without_an_epoch_or_from_another_one, Changes) {
    BOOST_TEST(!holds(changes, {}, goods));
    changes.begin(1, 100, 100);
    BOOST_TEST(!holds(changes, {}, goods));
    BOOST_TEST(!holds(changes, {1, 99}, goods)); // below the floor
    BOOST_TEST(holds(changes, {1, 100}, goods));
    BOOST_TEST(!changes.end(2));
    BOOST_TEST(changes.end(1));
    BOOST_TEST(!changes.end(1));
    BOOST_TEST(!holds(changes, {1, 100}, goods));
    changes.begin(2, 10, 10); // of a log that began anew
    BOOST_TEST(!holds(changes, {1, 100}, goods));
    BOOST_TEST(holds(changes, {2, 10}, goods));
}

BOOST_FIXTURE_TEST_CASE(no_change_survives_an_epoch, Changes) {
    changes.begin(1, 100, 100);
    changes.change("shop", "goods", 200);
    changes.change_all(300);
    changes.settle(1, 300);
    changes.end(1);
    changes.settle(1, 900); // who asked in the old one
    changes.begin(2, 10, 10);
    BOOST_TEST(holds(changes, {2, 10}, goods));
    BOOST_TEST(changes.settled() == 0U);
}

BOOST_AUTO_TEST_CASE(who_registers_a_table_late_misses_no_change_of_it) {
    db::LastChanges changes;
    changes.begin(1, 100, 100);
    changes.change("shop", "goods", 200);
    changes.change("elsewhere", "goods", 250);
    auto const* const goods = changes.table("shop", "goods");
    BOOST_TEST(!holds(changes, {1, 200}, goods));
    BOOST_TEST(holds(changes, {1, 250}, goods));
    changes.change("SHOP", "Goods", 300);
    BOOST_TEST(!holds(changes, {1, 250}, goods));
    BOOST_TEST(changes.table("shop", "GOODS") == goods);
}

BOOST_FIXTURE_TEST_CASE(who_tells_rows_apart_late_misses_no_change_of_them, Changes) {
    auto const holds = [&](std::uint64_t at, db::RowTag const& tag) {
        auto const slot = changes.slot(tag);
        return changes.holds({1, at}, {}, std::span(&slot, 1));
    };
    db::RowTag const other_id{goods, db::RowTag::Aspect::other_value, 0};
    db::RowTag const undecoded{goods, db::RowTag::Aspect::undecoded};
    changes.begin(1, 100, 100);
    changes.change("shop", "goods", 200);
    BOOST_TEST(changes.tell_apart(goods, 0, 3));
    BOOST_TEST(!holds(199, other_id));
    BOOST_TEST(holds(200, other_id));
    changes.change("shop", "goods", 300);
    BOOST_TEST(changes.tell_apart(goods, 0, 3));
    BOOST_TEST(holds(200, other_id));
    BOOST_TEST(changes.tell_apart(goods, 0, 4)); // another structure: what was decoded may be wrong
    BOOST_TEST(!holds(299, undecoded));
    BOOST_TEST(!changes.tell_apart(goods, 64, 70));
}

// Whoever asked where the log ends before the change was acknowledged may have what was before.
BOOST_FIXTURE_TEST_CASE(a_changed_row_counts_once_the_stream_has_come_to_the_end_of_its_event,
                        Changes) {
    db::RowTag const tag{goods, db::RowTag::Aspect::value, 0, db::tag_value(7)};
    auto const slot = changes.slot(tag);
    db::ChangeLog::Looked looked;
    auto const holds = [&](db::Tag its_tag) {
        return changes.holds(its_tag, {}, std::span(&slot, 1), &looked);
    };
    changes.begin(1, 100, 100);
    BOOST_TEST(holds({1, 100}));
    changes.reach(200); // without a change
    BOOST_TEST(holds({1, 100}));
    changes.change(tag, 300);
    changes.reach(300);
    BOOST_TEST(!holds({1, 100}));
    BOOST_TEST(!holds({1, 100}));
    BOOST_TEST(holds({1, 300}));
    auto copy = looked;
    changes.change(tag, 400);
    BOOST_TEST(!changes.holds({1, 300}, {}, std::span(&slot, 1), &copy)); // it knows nothing yet
    changes.reach(400);
    BOOST_TEST(!holds({1, 300}));
    changes.end(1);
    changes.begin(2, 10, 10); // of a log that began anew
    BOOST_TEST(!holds({1, 300}));
    db::ChangeLog::Looked of_new;
    BOOST_TEST(changes.holds({2, 10}, {}, std::span(&slot, 1), &of_new));
    changes.change(tag, 20);
    changes.reach(20);
    BOOST_TEST(!changes.holds({2, 10}, {}, std::span(&slot, 1), &of_new));
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_position_is_told_once) {
    db::LastChanges changes;
    changes.begin(1, 100, 100);
    BOOST_TEST(!changes.reach(110));
    changes.await(120);
    BOOST_TEST(!changes.reach(119));
    BOOST_TEST(changes.reach(125));
    BOOST_TEST(!changes.reach(130));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(settlement)

namespace {

db::Position at(std::uint64_t file, std::uint64_t offset) {
    return db::position_in(file, offset);
}

struct Settling {
    Settling() { settlement.begin(at(1, 1'000), at(1, 0)); }
    db::Settlement settlement;
};

bool is_true(db::Settlement const& settlement, db::Position said) {
    return settlement.is_true(said, settlement.true_beyond());
}

void log_transaction(db::Settlement& settlement, db::Position end) {
    settlement.begin_transaction();
    settlement.end_transaction(end);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_is_said_is_true_where_a_transaction_ended_that_is_known, Settling) {
    BOOST_TEST(is_true(settlement, at(1, 1'000))); // where the log was when it began
    log_transaction(settlement, at(1, 1'200));
    BOOST_TEST(is_true(settlement, at(1, 1'200)));
    BOOST_TEST(!is_true(settlement, at(1, 1'100)));
    BOOST_TEST(!is_true(settlement, at(1, 1'400))); // not seen yet
    BOOST_TEST(!is_true(settlement, at(2, 1'200)));
}

BOOST_AUTO_TEST_CASE(without_the_checkpoint_of_its_file_nothing_is_true) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'000), {});
    log_transaction(settlement, at(1, 1'200));
    BOOST_TEST(!settlement.true_beyond());
    BOOST_TEST(!is_true(settlement, at(1, 1'200)));
}

// Nothing of the old file was on its way.
BOOST_FIXTURE_TEST_CASE(a_checkpoint_in_the_head_makes_all_of_the_file_true, Settling) {
    settlement.enter_file();
    BOOST_TEST(!is_true(settlement, at(1, 1'000)));
    settlement.checkpoint(at(2, 336));
    BOOST_TEST(is_true(settlement, at(2, 336)));
    log_transaction(settlement, at(2, 600));
    BOOST_TEST(is_true(settlement, at(2, 600)));
}

// The offset of the old file with the name of the new one, as MariaDB says it meanwhile: 2:1791.
BOOST_AUTO_TEST_CASE(a_late_checkpoint_makes_true_what_is_beyond_once_something_is) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'568), at(1, 0));
    log_transaction(settlement, at(1, 1'791));
    settlement.enter_file();
    log_transaction(settlement, at(2, 560));
    log_transaction(settlement, at(2, 1'791));
    BOOST_TEST(!is_true(settlement, at(2, 336)));
    BOOST_TEST(!is_true(settlement, at(2, 560)));
    BOOST_TEST(!is_true(settlement, at(2, 1'791)));
    settlement.checkpoint(at(2, 1'828));
    BOOST_TEST(!is_true(settlement, at(2, 1'791)));
    BOOST_TEST(!is_true(settlement, at(2, 1'828))); // its own end, whatever is on its way before
    log_transaction(settlement, at(2, 2'000));
    BOOST_TEST(!is_true(settlement, at(2, 1'828)));
    BOOST_TEST(!is_true(settlement, at(2, 560)));
    BOOST_TEST(is_true(settlement, at(2, 2'000)));
}

BOOST_AUTO_TEST_CASE(what_was_said_before_it_was_known_to_be_true_is_not) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'000), {});
    auto const before = settlement.true_beyond();
    settlement.checkpoint(at(1, 1'100));
    log_transaction(settlement, at(1, 1'200));
    BOOST_TEST(!settlement.is_true(at(1, 1'200), before));
    BOOST_TEST(is_true(settlement, at(1, 1'200)));
}

BOOST_FIXTURE_TEST_CASE(each_epoch_begins_with_what_is_known_then, Settling) {
    log_transaction(settlement, at(1, 1'200));
    settlement.begin(at(1, 5'000), {});
    BOOST_TEST(!is_true(settlement, at(1, 1'200)));
    BOOST_TEST(!is_true(settlement, at(1, 5'000)));
}

BOOST_AUTO_TEST_SUITE_END()
