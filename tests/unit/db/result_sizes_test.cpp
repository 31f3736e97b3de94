#include "db/result_sizes.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using db::ResultSizes;

namespace {

constexpr std::uint64_t kind = 7, another_kind = 8;

} // namespace

BOOST_AUTO_TEST_SUITE(result_sizes)

BOOST_AUTO_TEST_CASE(what_was_few_several_times_is_expected_to_be_few) {
    auto const sizes = std::make_unique<ResultSizes>();
    int results = 0;
    while (!sizes->are_few(kind) && results < 100) {
        sizes->note(kind, true);
        ++results;
    }
    BOOST_TEST(results > 1);
    BOOST_TEST(results < 100);
    BOOST_TEST(!sizes->are_few(another_kind));
}

BOOST_AUTO_TEST_CASE(one_result_of_more_ends_the_expectation) {
    auto const sizes = std::make_unique<ResultSizes>();
    for (int i = 0; i < 100; ++i)
        sizes->note(kind, true);
    BOOST_TEST(sizes->are_few(kind));
    sizes->note(kind, false);
    BOOST_TEST(!sizes->are_few(kind));
}

BOOST_AUTO_TEST_SUITE_END()
