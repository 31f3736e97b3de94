#include "fcgi/server/lanes.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>

using namespace std::chrono_literals;
using fcgi::Cost;
using fcgi::Lanes;

BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(expensive_ones_take_half_and_with_unknown_ones_all_but_one) {
    struct {
        std::size_t slots, expensive, both;
    } const table[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 2}, {4, 2, 3}, {5, 2, 4}, {16, 8, 15}};
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.slots << " slots") {
            Lanes lanes(row.slots);
            std::size_t expensive = 0;
            for (; lanes.has_room_for(Cost::expensive); ++expensive)
                lanes.enter(Cost::expensive);
            BOOST_TEST(expensive == row.expensive);
            std::size_t both = expensive;
            for (; lanes.has_room_for(Cost::unknown); ++both)
                lanes.enter(Cost::unknown);
            BOOST_TEST(both == row.both);
            BOOST_TEST(lanes.has_room_for(Cost::cheap));
            lanes.leave(Cost::expensive);
            BOOST_TEST(lanes.has_room_for(Cost::expensive));
        }
}

BOOST_AUTO_TEST_CASE(statements_that_go_on_leave_cheap_ones_a_place_as_expensive_ones_do) {
    std::atomic<std::uint64_t> left = 0;
    Lanes lanes(4, &left);
    lanes.enter(Cost::expensive);
    left = 1;
    BOOST_TEST(!lanes.has_room_for(Cost::expensive));
    BOOST_TEST(lanes.has_room_for(Cost::unknown));
    left = 3; // and the request of one of them is answered
    lanes.leave(Cost::expensive);
    BOOST_TEST(!lanes.has_room_for(Cost::unknown));
    BOOST_TEST(lanes.has_room_for(Cost::cheap));
    left = 0;
    BOOST_TEST(lanes.has_room_for(Cost::expensive));
}

BOOST_AUTO_TEST_CASE(unknown_ones_leave_no_more_for_expensive_ones_than_their_share) {
    Lanes lanes(4);
    for (int i = 0; i < 3; ++i)
        lanes.enter(Cost::unknown);
    BOOST_TEST(!lanes.has_room_for(Cost::expensive));
    BOOST_TEST(!lanes.has_room_for(Cost::unknown));
    lanes.leave(Cost::unknown);
    BOOST_TEST(lanes.has_room_for(Cost::expensive));
}

// Expensive requests have two of four slots, and each of those that have one is half through.
BOOST_AUTO_TEST_CASE(the_wait_is_the_work_before_one_shared_by_the_places) {
    Lanes lanes(4);
    for (int i = 0; i < 200; ++i) { // until that is the usual time
        lanes.enter(Cost::expensive);
        lanes.leave(Cost::expensive, 2s);
    }
    BOOST_TEST((lanes.wait_behind(Cost::expensive, 0) == 0s));
    lanes.enter(Cost::expensive);
    lanes.enter(Cost::expensive);
    auto const about = [](Lanes::Duration time, Lanes::Duration expected) {
        return time > expected - 10ms && time < expected + 10ms;
    };
    BOOST_TEST(about(lanes.wait_behind(Cost::expensive, 0), 1s));
    BOOST_TEST(about(lanes.wait_behind(Cost::expensive, 1), 2s));
    BOOST_TEST(about(lanes.wait_behind(Cost::expensive, 4), 5s));
    // A request that has a place which no expensive one takes does not wait for those.
    BOOST_TEST((lanes.wait_behind(Cost::unknown, 0) == 0s));
    BOOST_TEST((lanes.wait_behind(Cost::unknown, 1) < 100ms));
}

BOOST_AUTO_TEST_CASE(where_there_is_no_such_place_unknown_ones_wait_for_expensive_ones) {
    Lanes lanes(2);
    BOOST_TEST((lanes.wait_behind(Cost::unknown, 0) == 0s));
    lanes.enter(Cost::expensive);
    BOOST_TEST((lanes.wait_behind(Cost::unknown, 0) >= 500ms)); // half of the second assumed
}

BOOST_AUTO_TEST_SUITE_END()
