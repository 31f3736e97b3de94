#include "fcgi/connections/request_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>

namespace {

using fcgi::Client;
using fcgi::RequestQueue;

constexpr auto long_hold = std::chrono::hours(1);

struct Fixture {
    Client& ask(std::string_view path, std::string_view authorization = {}) {
        Client& client = clients.emplace_back(-1, 0U);
        client.request.method = "GET";
        client.request.path = path;
        client.request.authorization = authorization;
        return client;
    }

    std::deque<Client> clients;
    std::vector<Client*> twins;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_queue, Fixture)

BOOST_AUTO_TEST_CASE(first_come_is_first_served) {
    RequestQueue queue(2, true, long_hold);
    Client& first = ask("/a");
    Client& second = ask("/b");
    queue.push(first);
    queue.push(second);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &second);
}

BOOST_AUTO_TEST_CASE(who_asks_what_is_being_answered_waits_for_it) {
    RequestQueue queue(2, true, long_hold);
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &other);
    queue.release_twins(first);
    BOOST_TEST(queue.next() == &equal);
}

BOOST_AUTO_TEST_CASE(no_longer_than_the_longest_hold) {
    RequestQueue queue(2, true, std::chrono::milliseconds(1));
    Client& first = ask("/a");
    Client& equal = ask("/a");
    queue.push(first);
    queue.push(equal);
    BOOST_TEST(queue.next() == &first);
    BOOST_TEST(queue.next() == &equal); // `first` is not released
}

BOOST_AUTO_TEST_CASE(twins_are_those_who_wait_with_an_equal_request) {
    RequestQueue queue(2, true, long_hold);
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& named = ask("/a", "Bearer x");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &named, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    queue.take_twins(first, twins);
    BOOST_TEST(twins == std::vector{&equal}, boost::test_tools::per_element());
    BOOST_TEST(queue.next() == &named);
    BOOST_TEST(queue.next() == &other);
}

BOOST_AUTO_TEST_CASE(where_answers_are_not_shared_nobody_is_a_twin) {
    RequestQueue queue(2, false, long_hold);
    Client& first = ask("/a");
    Client& equal = ask("/a");
    queue.push(first);
    queue.push(equal);
    BOOST_TEST(queue.next() == &first);
    queue.take_twins(first, twins);
    BOOST_TEST(twins.empty());
    BOOST_TEST(queue.next() == &equal);
}

BOOST_AUTO_TEST_CASE(what_is_put_back_comes_next) {
    RequestQueue queue(2, true, long_hold);
    Client& first = ask("/a");
    Client& equal = ask("/a");
    Client& other = ask("/b");
    for (Client* client : {&first, &equal, &other})
        queue.push(*client);
    BOOST_TEST(queue.next() == &first);
    queue.take_twins(first, twins);
    queue.release_twins(first);
    queue.put_back(twins);
    BOOST_TEST(queue.next() == &equal);
    BOOST_TEST(queue.next() == &other);
}

BOOST_AUTO_TEST_CASE(a_closed_queue_gives_what_waits_and_then_nothing) {
    RequestQueue queue(1, true, long_hold);
    Client& first = ask("/a");
    queue.push(first);
    queue.close();
    BOOST_TEST(queue.next() == &first);
    queue.release_twins(first);
    BOOST_TEST(queue.next() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
