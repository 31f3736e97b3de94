#include "parser/base/memory_budget.hpp"

#include <boost/test/unit_test.hpp>

#include <memory_resource>
#include <vector>

using parser::MemoryBudget;
using parser::MemoryShare;

BOOST_AUTO_TEST_SUITE(memory_budget)

namespace {

constexpr std::size_t MiB = 1024 * 1024;

} // namespace

BOOST_AUTO_TEST_CASE(small_requests_pass_by_those_that_fill_the_budget) {
    MemoryBudget budget(16 * MiB);
    MemoryShare oldest(budget), large(budget);
    BOOST_TEST(oldest.grow(2 * MiB));
    BOOST_TEST(large.grow(10 * MiB));
    BOOST_TEST(!large.grow(1));
    std::vector<MemoryShare> small;
    for (int i = 0; i < 4; ++i)
        BOOST_TEST(small.emplace_back(budget).grow(MemoryBudget::allowance));
    BOOST_TEST(!small.emplace_back(budget).grow(1), "the budget is used up");
    BOOST_TEST(!oldest.grow(1));
    BOOST_TEST(budget.held() == 16 * MiB);
}

BOOST_AUTO_TEST_CASE(of_those_that_grow_the_oldest_goes_on) {
    MemoryBudget budget(16 * MiB);
    MemoryShare older(budget), younger(budget);
    BOOST_TEST(older.grow(2 * MiB));
    BOOST_TEST(younger.grow(10 * MiB)); // three quarters are taken
    BOOST_TEST(!younger.grow(1 * MiB));
    BOOST_TEST(younger.held() == 10 * MiB);
    BOOST_TEST(older.grow(2 * MiB));
    older.settle(); // it holds, but does not grow
    BOOST_TEST(younger.grow(1 * MiB));
}

BOOST_AUTO_TEST_CASE(what_a_share_held_is_free_at_its_end) {
    MemoryBudget budget(16 * MiB);
    {
        MemoryShare first(budget);
        BOOST_TEST(first.grow(10 * MiB));
        BOOST_TEST(budget.held() == 10 * MiB);
        MemoryShare const second(std::move(first));
        BOOST_TEST(budget.held() == 10 * MiB);
    }
    BOOST_TEST(budget.held() == 0U);
}

BOOST_AUTO_TEST_CASE(settled_it_takes_no_more_than_it_holds) {
    MemoryBudget budget(16 * MiB);
    MemoryShare share(budget);
    BOOST_TEST(share.grow(10 * MiB));
    share.shrink(7 * MiB);
    BOOST_TEST(budget.held() == 10 * MiB);
    share.settle();
    BOOST_TEST(budget.held() == 3 * MiB);
}

BOOST_AUTO_TEST_CASE(a_share_takes_little_more_than_it_needs) {
    constexpr std::size_t page = 4096;
    for (std::size_t const bytes : {std::size_t{1}, page, 5 * page, MiB / 4}) {
        MemoryBudget budget(16 * MiB);
        MemoryShare share(budget);
        for (std::size_t grown = 0; grown < bytes; ++grown)
            BOOST_TEST_REQUIRE(share.grow(1));
        BOOST_TEST(budget.held() >= bytes);
        BOOST_TEST(budget.held() <= 2 * bytes + page);
    }
}

BOOST_AUTO_TEST_CASE(it_is_short_before_anybody_is_refused) {
    MemoryBudget budget(16 * MiB);
    MemoryShare share(budget);
    BOOST_TEST(share.grow(8 * MiB));
    BOOST_TEST(!budget.is_short());
    BOOST_TEST(share.grow(1 * MiB));
    BOOST_TEST(budget.is_short());
}

BOOST_AUTO_TEST_CASE(a_share_of_no_budget_is_never_refused) {
    MemoryShare share;
    BOOST_TEST(share.grow(std::size_t{1} << 40));
    BOOST_TEST(share.held() == std::size_t{1} << 40);
}

BOOST_AUTO_TEST_CASE(memory_is_counted_and_refused_as_it_is_allocated) {
    MemoryBudget budget(8 * MiB);
    MemoryShare other(budget), share(budget);
    BOOST_TEST(other.grow(2 * MiB)); // the oldest
    std::pmr::vector<char> bytes(&share);
    bytes.resize(3 * MiB);
    BOOST_TEST(share.held() == 3 * MiB);
    BOOST_CHECK_THROW(bytes.resize(7 * MiB), parser::OutOfBudget);
    BOOST_TEST(share.held() == 3 * MiB);
    bytes = std::pmr::vector<char>(&share);
    BOOST_TEST(share.held() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
