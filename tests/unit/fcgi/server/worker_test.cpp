#include "fcgi/server/worker.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <sched.h>

// Threads are scheduled as usual until more are busy than there are processors.

BOOST_AUTO_TEST_SUITE(busy_threads)

namespace {

int policy_of_another(std::atomic<std::size_t>& threads) {
    int policy = -1;
    std::thread([&] {
        fcgi::BusyThread const busy(threads);
        policy = ::sched_getscheduler(0);
    }).join();
    return policy;
}

} // namespace

BOOST_AUTO_TEST_CASE(who_finds_all_processors_taken_interrupts_nobody) {
    std::atomic<std::size_t> threads = 0;
    std::vector<std::unique_ptr<fcgi::BusyThread>> busy;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
        BOOST_TEST(policy_of_another(threads) == SCHED_OTHER);
        busy.push_back(std::make_unique<fcgi::BusyThread>(threads));
    }
    BOOST_TEST(policy_of_another(threads) == SCHED_BATCH);
    busy.pop_back();
    BOOST_TEST(policy_of_another(threads) == SCHED_OTHER);
}

BOOST_AUTO_TEST_CASE(a_thread_is_as_before_once_there_are_few) {
    std::atomic<std::size_t> threads = 0;
    auto const begin = [&] { return std::make_unique<fcgi::BusyThread>(threads); };
    std::vector<std::unique_ptr<fcgi::BusyThread>> busy;
    while (busy.size() <= std::thread::hardware_concurrency())
        busy.push_back(begin());
    BOOST_TEST(::sched_getscheduler(0) == SCHED_BATCH);
    busy.clear();
    busy.push_back(begin());
    BOOST_TEST(::sched_getscheduler(0) == SCHED_OTHER);
}

BOOST_AUTO_TEST_SUITE_END()
