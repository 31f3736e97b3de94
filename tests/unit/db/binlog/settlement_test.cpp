#include "db/binlog/changes.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(settlement)

namespace {

db::Position at(std::uint64_t file, std::uint64_t offset) {
    return db::position_in(file, offset);
}

bool is_true(db::Settlement const& settlement, db::Position said) {
    return settlement.is_true(said, settlement.true_beyond());
}

void log_transaction(db::Settlement& settlement, db::Position end) {
    settlement.begin_transaction();
    settlement.end_transaction(end);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_said_is_true_where_a_transaction_ended_that_is_known) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'000), at(1, 0));
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
BOOST_AUTO_TEST_CASE(a_checkpoint_in_the_head_makes_all_of_the_file_true) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'000), at(1, 0));
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

BOOST_AUTO_TEST_CASE(each_epoch_begins_with_what_is_known_then) {
    db::Settlement settlement;
    settlement.begin(at(1, 1'000), at(1, 0));
    log_transaction(settlement, at(1, 1'200));
    settlement.begin(at(1, 5'000), {});
    BOOST_TEST(!is_true(settlement, at(1, 1'200)));
    BOOST_TEST(!is_true(settlement, at(1, 5'000)));
}

BOOST_AUTO_TEST_SUITE_END()
