#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

// Responses that take no more than a moment come from the thread that reads, whatever the workers
// do.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(at_once_responses)

namespace {

std::string at_once(int number, Keep keep = Keep::yes) {
    return request(needs_no_worker(number), keep);
}

} // namespace

BOOST_AUTO_TEST_CASE(it_is_answered_while_all_workers_are_busy) {
    ServerProcess server({.limits = {"workers=1"}});
    auto blocker = server.connect();
    blocker.send(request(get("/block")));
    server.wait_for_blocked(1);
    auto waiting = server.connect();
    waiting.send(request(get("/echo")));
    auto client = server.connect();
    BOOST_TEST(number_of(client.ask(needs_no_worker(1))) == 1);
    BOOST_TEST(number_of(client.ask(needs_no_worker(2))) == 2);
    server.release(1);
    BOOST_TEST(blocker.read_response().status == 200);
    BOOST_TEST(waiting.read_response().status == 200);
}

BOOST_AUTO_TEST_CASE(requests_that_come_together_are_answered_in_their_order) {
    ServerProcess server({.limits = {"workers=1"}});
    auto client = server.connect();
    std::string bytes;
    constexpr int count = 100; // fewer than a socket holds answers of
    auto const is_for_worker = [](int i) { return i % 20 == 10; };
    for (int i = 0; i < count; ++i)
        bytes += is_for_worker(i) ? request(get("/bytes?" + std::to_string(i))) : at_once(i);
    client.send(bytes);
    for (int i = 0; i < count; ++i) {
        auto const response = client.read_response();
        if (is_for_worker(i))
            BOOST_TEST(response.body.size() == static_cast<std::size_t>(i));
        else
            BOOST_TEST(number_of(response) == i);
    }
}

BOOST_FIXTURE_TEST_CASE(the_connection_is_closed_if_the_web_server_says_so, Connected) {
    client.send(at_once(1, Keep::no) + at_once(2));
    BOOST_TEST(number_of(client.read_response()) == 1);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_AUTO_TEST_CASE(who_reads_no_responses_holds_nobody_up) {
    ServerProcess server({.limits = {"workers=1"}});
    auto silent = server.connect();
    std::string bytes;
    constexpr int count = 600; // more than a socket holds answers of, fewer than it holds requests
    for (int i = 0; i < count; ++i)
        bytes += at_once(i);
    silent.send(bytes);
    BOOST_TEST(silent.has_arrivals_within(Client::patience));
    BOOST_TEST(number_of(server.connect().ask(needs_no_worker(1))) == 1);
    BOOST_TEST(server.connect().ask(get("/echo")).status == 200);
    for (int i = 0; i < count; ++i)
        BOOST_TEST_REQUIRE(number_of(silent.read_response()) == i);
    BOOST_TEST(silent.ask(get("/echo")).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
