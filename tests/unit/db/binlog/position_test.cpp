#include "db/binlog/position.hpp"

#include <boost/test/unit_test.hpp>

#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(position)

BOOST_AUTO_TEST_CASE(names_and_offsets_make_one_number) {
    std::tuple<char const*, char const*, std::optional<db::Position>> const cases[] = {
        {"bin.000001", "4", db::position_in(1, 4)},
        {"a.b-c.000099", "0", db::position_in(99, 0)},
        {"bin.1000000", "5000000000", db::position_in(1'000'000, 5'000'000'000)},
        {"bin.16777215", "1099511627775", UINT64_MAX},
        {"bin.16777216", "4", std::nullopt}, // more than 24 bits
        {"bin.000001", "1099511627776", std::nullopt},
        {"bin", "4", std::nullopt},
        {"bin.", "4", std::nullopt},
        {"bin.00001x", "4", std::nullopt},
        {"bin.-1", "4", std::nullopt},
        {"bin.000001", "", std::nullopt},
        {"", "", std::nullopt},
    };
    for (auto const& [file, offset, expected] : cases)
        BOOST_TEST((db::position_of(file, offset) == expected), file << ":" << offset);
}

BOOST_AUTO_TEST_CASE(positions_grow_with_the_log) {
    db::Position const ascending[] = {db::position_in(1, 4), db::position_in(1, 5'000'000'000),
                                      db::position_in(2, 4), db::position_in(1'000'000, 4)};
    BOOST_TEST(std::ranges::is_sorted(ascending));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gtid_set)

namespace {

constexpr auto own = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

std::string text(std::string set) {
    for (auto at = set.find("OWN"); at != set.npos; at = set.find("OWN"))
        set.replace(at, 3, own);
    return set;
}

} // namespace

// A transaction that is not in the set, and below the number, would be missing from a snapshot.
BOOST_AUTO_TEST_CASE(settled_is_the_end_of_the_first_run_without_a_gap) {
    std::pair<char const*, std::uint64_t> const cases[] = {
        {"OWN:1-57", 57},
        {"OWN:1", 1},
        {"OWN:1-5:7-9", 5},
        {"OWN:1:3", 1},
        {"OWN:2-9", 0}, // the first may still come
        {"OWN:10-19", 0},
        {"2174b383-5441-11e8-b90a-c80aa9429562:1-3,\nOWN:1-8", 8},
        {"OWN:1-8,\n2174b383-5441-11e8-b90a-c80aa9429562:1-30", 8},
        {"2174b383-5441-11e8-b90a-c80aa9429562:1-3", 0},
        {"OWN:1-8:billing:1-30", 8},
        {"OWN:billing:1-30", 0},
        {"OWN", 0},
        {"", 0},
    };
    for (auto const& [set, expected] : cases)
        BOOST_TEST(db::settled_number(text(set), own) == expected, set);
    BOOST_TEST(db::settled_number(text("OWN:1-8"), "") == 0U);
}

BOOST_AUTO_TEST_CASE(owned_is_the_highest_number_of_all) {
    std::pair<char const*, std::uint64_t> const cases[] = {
        {"", 0},
        {"OWN:7#31", 7},
        {"OWN:7#31:12#32:9#33", 12},
        {"OWN:7#31,\n2174b383-5441-11e8-b90a-c80aa9429562:3#9", 7},
    };
    for (auto const& [owned, expected] : cases)
        BOOST_TEST(db::highest_owned(text(owned)) == expected, owned);
}

BOOST_AUTO_TEST_CASE(a_uuid_reads_as_the_server_writes_it) {
    std::string const bytes = "\x3e\x11\xfa\x47\x71\xca\x11\xe1\x9e\x33\xc8\x0a\xa9\x42\x95\x62";
    BOOST_TEST(db::uuid_text(bytes) == own);
}

BOOST_AUTO_TEST_SUITE_END()
