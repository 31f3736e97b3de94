#include "fcgi/server/request_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using fcgi::Cost;
using fcgi::DatabaseSlots;

BOOST_AUTO_TEST_SUITE(slots)

BOOST_AUTO_TEST_CASE(expensive_ones_take_half_and_with_unknown_ones_all_but_one) {
    struct {
        std::size_t slots, expensive, both;
    } const table[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 2}, {4, 2, 3}, {5, 2, 4}, {16, 8, 15}};
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.slots << " slots") {
            DatabaseSlots slots(row.slots);
            std::size_t expensive = 0;
            for (; slots.has_slot_for(Cost::expensive); ++expensive)
                slots.enter(Cost::expensive);
            BOOST_TEST(expensive == row.expensive);
            std::size_t both = expensive;
            for (; slots.has_slot_for(Cost::unknown); ++both)
                slots.enter(Cost::unknown);
            BOOST_TEST(both == row.both);
            BOOST_TEST(slots.has_slot_for(Cost::cheap));
            slots.leave(Cost::expensive);
            BOOST_TEST(slots.has_slot_for(Cost::expensive));
        }
}

BOOST_AUTO_TEST_CASE(statements_that_go_on_leave_cheap_ones_a_slot_as_expensive_ones_do) {
    std::atomic<std::uint64_t> left = 0;
    DatabaseSlots slots(4, &left);
    slots.enter(Cost::expensive);
    left = 1;
    BOOST_TEST(!slots.has_slot_for(Cost::expensive));
    BOOST_TEST(slots.has_slot_for(Cost::unknown));
    left = 3; // and the request of one of them is answered
    slots.leave(Cost::expensive);
    BOOST_TEST(!slots.has_slot_for(Cost::unknown));
    BOOST_TEST(slots.has_slot_for(Cost::cheap));
    left = 0;
    BOOST_TEST(slots.has_slot_for(Cost::expensive));
}

BOOST_AUTO_TEST_CASE(unknown_ones_leave_no_more_for_expensive_ones_than_their_share) {
    DatabaseSlots slots(4);
    for (int i = 0; i < 3; ++i)
        slots.enter(Cost::unknown);
    BOOST_TEST(!slots.has_slot_for(Cost::expensive));
    BOOST_TEST(!slots.has_slot_for(Cost::unknown));
    slots.leave(Cost::unknown);
    BOOST_TEST(slots.has_slot_for(Cost::expensive));
}

// Expensive requests have two of four slots, and each of those that have one is half through.
BOOST_AUTO_TEST_CASE(the_wait_is_the_work_before_one_divided_by_the_slots) {
    DatabaseSlots slots(4);
    for (int i = 0; i < 200; ++i) { // until that is the usual time
        slots.enter(Cost::expensive);
        slots.leave(Cost::expensive, 2s);
    }
    BOOST_TEST((slots.wait_behind(Cost::expensive, 0) == 0s));
    slots.enter(Cost::expensive);
    slots.enter(Cost::expensive);
    auto const about = [](DatabaseSlots::Duration time, DatabaseSlots::Duration expected) {
        return time > expected - 10ms && time < expected + 10ms;
    };
    BOOST_TEST(about(slots.wait_behind(Cost::expensive, 0), 1s));
    BOOST_TEST(about(slots.wait_behind(Cost::expensive, 1), 2s));
    BOOST_TEST(about(slots.wait_behind(Cost::expensive, 4), 5s));
    // A request that has a place which no expensive one takes does not wait for those.
    BOOST_TEST((slots.wait_behind(Cost::unknown, 0) == 0s));
    BOOST_TEST((slots.wait_behind(Cost::unknown, 1) < 100ms));
}

BOOST_AUTO_TEST_CASE(where_there_is_no_such_slot_unknown_ones_wait_for_expensive_ones) {
    DatabaseSlots slots(2);
    BOOST_TEST((slots.wait_behind(Cost::unknown, 0) == 0s));
    slots.enter(Cost::expensive);
    BOOST_TEST((slots.wait_behind(Cost::unknown, 0) >= 500ms)); // half of the second assumed
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
    std::vector<Client*> equals;
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

BOOST_AUTO_TEST_CASE(equals_are_those_who_wait_with_an_equal_request) {
    RequestQueue queue({.workers = 2, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& named = ask("/a", "Bearer x");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &named, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, equals);
    BOOST_TEST(equals == std::vector{&equal}, boost::test_tools::per_element());
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
    queue.take_equals(first, equals);
    BOOST_TEST(equals.empty());
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
                    bool const has_slot =
                        queue.enter(*client, client->cost.value_or(Cost::expensive)).value();
                    if (!has_slot) {
                        queue.requeue(*client);
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

BOOST_AUTO_TEST_CASE(where_requests_are_not_coalesced_none_is_an_equal) {
    RequestQueue queue({.workers = 2, .share_requests = false, .longest_hold = long_hold});
    Client& first = ask("/a");
    Client& equal = ask("/a");
    queue.push(first);
    queue.push(equal);
    BOOST_TEST(queue.next() == &first);
    queue.take_equals(first, equals);
    BOOST_TEST(equals.empty());
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
    queue.take_equals(first, equals);
    queue.done(first);
    queue.put_back(equals);
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

BOOST_AUTO_TEST_CASE(who_finds_no_slot_waits_for_one_while_others_go_by) {
    RequestQueue queue({.workers = 4, .connections = 4, .limits = {.acquire = long_hold}});
    Client& first = taken_and_entered(queue, "/a", Cost::expensive);
    taken_and_entered(queue, "/b", Cost::expensive);
    Client& requeued = taken(queue, "/c");
    BOOST_TEST(!queue.enter(requeued, Cost::expensive).value());
    queue.requeue(requeued);
    Client& cheap = taken_and_entered(queue, "/d", Cost::cheap); // comes by
    queue.done(cheap);
    taken_and_entered(queue, "/e", Cost::unknown);
    queue.done(first);
    BOOST_TEST(queue.next() == &requeued);
    BOOST_TEST(queue.enter(requeued, Cost::expensive).value()); // the slot is its own
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_statement_that_goes_on_is_next_soon_after_it_has_ended) {
    std::atomic<std::uint64_t> left = 1;
    RequestQueue queue(
        {.workers = 4, .connections = 2, .left = &left, .limits = {.acquire = long_hold}});
    Client& requeued = taken(queue, "/a");
    BOOST_TEST(!queue.enter(requeued, Cost::unknown).value());
    queue.requeue(requeued);
    std::jthread const ends([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        left = 0;
    });
    BOOST_TEST(queue.next() == &requeued);
    BOOST_TEST((std::chrono::steady_clock::now() < requeued.wait_end));
    BOOST_TEST(queue.enter(requeued, Cost::unknown).value());
}

BOOST_AUTO_TEST_CASE(nobody_overtakes_one_that_waits_for_the_same_slot) {
    RequestQueue queue({.workers = 4, .connections = 2, .limits = {.acquire = long_hold}});
    Client& first = taken_and_entered(queue, "/a", Cost::expensive);
    Client& requeued = taken(queue, "/b");
    BOOST_TEST(!queue.enter(requeued, Cost::expensive).value());
    Client& later = taken(queue, "/c");
    queue.requeue(requeued);
    queue.done(first);
    BOOST_TEST(!queue.enter(later, Cost::expensive).value());
    queue.requeue(later);
    BOOST_TEST(queue.next() == &requeued);
    queue.done(requeued);
    BOOST_TEST(queue.next() == &later);
}

// The cost of a request may be known better by the time that it is called again.
BOOST_AUTO_TEST_CASE(who_turns_out_to_cost_something_else_gives_its_slot_up_for_another) {
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
    queue.requeue(third);
    auto const refused = queue.enter(fourth, Cost::expensive);
    BOOST_TEST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == parser::ErrorKind::unavailable));
    BOOST_TEST(refused.error().cause == "no slot was free for a request of cost expensive within "
                                        "acquire-timeout (950 ms), but in 1 s");
    BOOST_TEST(!queue.enter(equal, Cost::expensive).value());
    queue.requeue(equal);
    // They are answered together.
    queue.take_equals(third, equals);
    BOOST_TEST(equals == (std::vector{&third, &equal}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_has_waited_as_long_as_it_may_comes_next_without_a_slot) {
    RequestQueue queue(
        {.workers = 4, .connections = 2, .limits = {.acquire = std::chrono::milliseconds(300)}});
    taken_and_entered(queue, "/a", Cost::unknown);
    Client& late = taken(queue, "/b");
    BOOST_TEST(!queue.enter(late, Cost::unknown).value());
    queue.requeue(late);
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
