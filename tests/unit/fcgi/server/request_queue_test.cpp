#include "fcgi/server/request_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

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

namespace {

using fcgi::Client;
using fcgi::Cost;
using fcgi::RequestQueue;

constexpr auto long_hold = std::chrono::hours(1);

struct QueueFixture {
    Client& ask(std::string_view path, std::string_view authorization = {}) {
        Client& client = clients.emplace_back(-1, 0U);
        client.request.method = "GET";
        client.request.path = path;
        client.request.authorization = authorization;
        return client;
    }

    // The next to be answered, which asks so.
    Client& taken(RequestQueue& queue, std::string_view path) {
        Client& client = ask(path);
        queue.push(client);
        BOOST_TEST_REQUIRE(queue.next() == &client);
        return client;
    }
    Client& taken_and_entered(RequestQueue& queue, std::string_view path, Cost cost) {
        Client& client = taken(queue, path);
        BOOST_TEST_REQUIRE(queue.enter(client, cost).value());
        return client;
    }

    std::deque<Client> clients;
    std::vector<Client*> twins;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_queue, QueueFixture, *boost::unit_test::label("waits"))

BOOST_AUTO_TEST_CASE(first_come_is_first_served) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& second = ask("/b");
    queue.push(first);
    queue.push(second);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &second);
}

BOOST_AUTO_TEST_CASE(who_asks_what_is_being_answered_waits_for_it) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &other);
    queue.done(first);
    BOOST_TEST(queue.next() == &equal);
}

BOOST_AUTO_TEST_CASE(no_longer_than_the_longest_hold) {
    RequestQueue queue({.workers = 2, .longest_hold = std::chrono::milliseconds(1)});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    queue.push(first);
    queue.push(equal);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &equal); // `first` is not released
}

BOOST_AUTO_TEST_CASE(twins_are_those_who_wait_with_an_equal_request) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& named = ask("/a", "Bearer x");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &named, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, twins);
    BOOST_TEST(twins == std::vector{&equal}, boost::test_tools::per_element());
    BOOST_TEST(queue.next() == &named);
    BOOST_TEST(queue.next() == &other);
}

BOOST_AUTO_TEST_CASE(requests_of_different_epochs_are_not_equal) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& later = ask("/a");
    later.request.epoch = 1;
    queue.push(first);
    queue.push(later);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, twins);
    BOOST_TEST(twins.empty());
    BOOST_TEST(queue.next() == &later);
}

BOOST_AUTO_TEST_CASE(whoever_waits_is_given_to_a_worker_that_has_nothing_to_do) {
    for (bool const share : {false, true}) {
        RequestQueue queue({.workers = 4,
                            .connections = 2,
                            .share_requests = share,
                            .longest_hold = long_hold,
                            .limits = {.acquire = long_hold}});
        std::atomic<int> given = 0;
        std::vector<std::jthread> workers;
        for (int i = 0; i < 3; ++i)
            workers.emplace_back([&] {
                while (Client* client = queue.next()) {
                    bool const has_place =
                        queue.enter(*client, client->cost.value_or(Cost::expensive)).value();
                    if (!has_place) {
                        queue.postpone(*client);
                        continue;
                    }
                    ++given;
                    queue.done(*client);
                }
            });
        int asked = 0;
        for (int round = 0; round < 300; ++round) {
            for (auto const* path : {"/a", "/a", "/b", "/c"}) {
                queue.push(ask(path));
                ++asked;
            }
            while (round % 3 == 0 && given < asked) // else they meet those of the next round
                std::this_thread::yield();
        }
        queue.close();
        workers.clear();
        BOOST_TEST(given == asked);
    }
}

BOOST_AUTO_TEST_CASE(where_answers_are_not_shared_nobody_is_a_twin) {
    RequestQueue queue({.workers = 2, .share_requests = false, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    queue.push(first);
    queue.push(equal);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, twins);
    BOOST_TEST(twins.empty());
    BOOST_TEST(queue.next() == &equal);
}

BOOST_AUTO_TEST_CASE(what_is_put_back_comes_next) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, twins);
    queue.done(first);
    queue.put_back(twins);
    BOOST_TEST(queue.next() == &equal);
    BOOST_TEST(queue.next() == &other);
}

BOOST_AUTO_TEST_CASE(a_closed_queue_gives_what_waits_and_then_nothing) {
    RequestQueue queue({.longest_hold = long_hold});
    Client& first = ask("/a");
    queue.push(first);
    queue.close();
    BOOST_TEST(queue.next() == &first);
    queue.done(first);
    BOOST_TEST(queue.next() == nullptr);
}

BOOST_AUTO_TEST_CASE(who_finds_no_place_waits_for_one_while_others_go_by) {
    RequestQueue queue({.workers = 4, .connections = 4, .limits = {.acquire = long_hold}});
    Client& first = taken_and_entered(queue, "/a", Cost::expensive);
    taken_and_entered(queue, "/b", Cost::expensive);
    Client& postponed = taken(queue, "/c");
    BOOST_TEST(!queue.enter(postponed, Cost::expensive).value());
    queue.postpone(postponed);
    Client& cheap = taken_and_entered(queue, "/d", Cost::cheap); // comes by
    queue.done(cheap);
    taken_and_entered(queue, "/e", Cost::unknown);
    queue.done(first);
    BOOST_TEST(queue.next() == &postponed);
    BOOST_TEST(queue.enter(postponed, Cost::expensive).value()); // the place is its own
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_statement_that_goes_on_is_next_soon_after_it_has_ended) {
    std::atomic<std::uint64_t> left = 1;
    RequestQueue queue(
        {.workers = 4, .connections = 2, .left = &left, .limits = {.acquire = long_hold}});
    Client& postponed = taken(queue, "/a");
    BOOST_TEST(!queue.enter(postponed, Cost::unknown).value());
    queue.postpone(postponed);
    std::jthread const ends([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        left = 0;
    });
    BOOST_TEST(queue.next() == &postponed);
    BOOST_TEST((std::chrono::steady_clock::now() < postponed.wait_end));
    BOOST_TEST(queue.enter(postponed, Cost::unknown).value());
}

BOOST_AUTO_TEST_CASE(nobody_overtakes_one_that_waits_for_the_same_place) {
    RequestQueue queue({.workers = 4, .connections = 2, .limits = {.acquire = long_hold}});
    Client& first = taken_and_entered(queue, "/a", Cost::expensive);
    Client& postponed = taken(queue, "/b");
    BOOST_TEST(!queue.enter(postponed, Cost::expensive).value());
    Client& later = taken(queue, "/c");
    queue.postpone(postponed);
    queue.done(first);
    BOOST_TEST(!queue.enter(later, Cost::expensive).value());
    queue.postpone(later);
    BOOST_TEST(queue.next() == &postponed);
    queue.done(postponed);
    BOOST_TEST(queue.next() == &later);
}

// The cost of a request may be known better by the time that it is called again.
BOOST_AUTO_TEST_CASE(who_turns_out_to_cost_something_else_gives_its_place_up_for_another) {
    RequestQueue queue({.workers = 4, .connections = 3, .limits = {.acquire = long_hold}});
    taken_and_entered(queue, "/a", Cost::expensive); // one place for these
    Client& second = taken_and_entered(queue, "/b", Cost::unknown);
    BOOST_TEST(!queue.enter(second, Cost::expensive).value());
    Client& third = taken(queue, "/c");
    BOOST_TEST(queue.enter(third, Cost::unknown).value());
}

// It is assumed that a expensive one takes a second: two that have a place free one within half of
// it.
BOOST_AUTO_TEST_CASE(who_would_wait_too_long_is_refused_at_once_and_not_whom_an_equal_one_awaits) {
    RequestQueue queue({.workers = 8,
                        .connections = 4,
                        .longest_hold = std::chrono::milliseconds(0),
                        .limits = {.acquire = std::chrono::milliseconds(950)}});
    taken_and_entered(queue, "/a", Cost::expensive);
    taken_and_entered(queue, "/b", Cost::expensive);
    Client& third = taken(queue, "/c");
    Client& fourth = taken(queue, "/d");
    Client& equal = taken(queue, "/c");
    BOOST_TEST(!queue.enter(third, Cost::expensive).value());
    queue.postpone(third);
    auto const refused = queue.enter(fourth, Cost::expensive);
    BOOST_TEST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == parser::ErrorKind::unavailable));
    BOOST_TEST(refused.error().cause == "no slot was free for a request of cost expensive within "
                                        "acquire-timeout (950 ms), but in 1 s");
    BOOST_TEST(!queue.enter(equal, Cost::expensive).value());
    queue.postpone(equal);
    // They are answered together.
    queue.take_equals(third, twins);
    BOOST_TEST(twins == (std::vector{&third, &equal}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_has_waited_as_long_as_it_may_comes_next_without_a_place) {
    RequestQueue queue(
        {.workers = 4, .connections = 2, .limits = {.acquire = std::chrono::milliseconds(300)}});
    taken_and_entered(queue, "/a", Cost::unknown);
    Client& late = taken(queue, "/b");
    BOOST_TEST(!queue.enter(late, Cost::unknown).value());
    queue.postpone(late);
    BOOST_TEST(queue.next() == &late);
    auto const now = std::chrono::steady_clock::now();
    BOOST_TEST((now >= late.wait_end));
    BOOST_TEST((now < late.wait_end + std::chrono::seconds(10)));
    auto const refused = queue.enter(late, Cost::unknown);
    BOOST_TEST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().cause ==
               "no slot was free for a request of cost unknown within acquire-timeout (300 ms)");
}

BOOST_AUTO_TEST_SUITE_END()
