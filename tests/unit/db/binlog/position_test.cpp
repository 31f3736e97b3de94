#include "db/binlog/position.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(position)

BOOST_AUTO_TEST_CASE(names_and_offsets_make_one_number) {
    struct {
        char const* file;
        char const* offset;
        std::optional<db::Position> expected;
    } const cases[] = {
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
