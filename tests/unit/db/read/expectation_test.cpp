#include "db/read/statistics.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using db::Expectation;

BOOST_AUTO_TEST_SUITE(expectation)

namespace {

constexpr std::uint64_t kind = 7, another_kind = 8;

} // namespace

BOOST_AUTO_TEST_CASE(what_was_so_several_times_is_likely) {
    auto const expected = std::make_unique<Expectation>();
    int times = 0;
    while (!expected->is_likely(kind) && times < 100) {
        expected->note(kind, true);
        ++times;
    }
    BOOST_TEST(times > 1);
    BOOST_TEST(times < 100);
    BOOST_TEST(!expected->is_likely(another_kind));
}

BOOST_AUTO_TEST_CASE(once_it_was_not_so_it_is_not_likely) {
    auto const expected = std::make_unique<Expectation>();
    for (int i = 0; i < 100; ++i)
        expected->note(kind, true);
    BOOST_TEST(expected->is_likely(kind));
    expected->note(kind, false);
    BOOST_TEST(!expected->is_likely(kind));
}

BOOST_AUTO_TEST_SUITE_END()
