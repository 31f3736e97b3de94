#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <set>

// Requests that are equal and wait for a worker get one response.

using namespace fastcgi;

namespace {

// One worker, which is busy while the requests arrive.
struct CoalescingFixture {
    void ask(std::vector<std::string> const& requests) {
        blocker.send(request(get("/block")));
        server.wait_for_blocked(1);
        for (auto const& bytes : requests) {
            clients.push_back(server.connect());
            clients.back().send(bytes);
        }
        server.wait_for_arrivals();
        server.release(1);
        for (auto& client : clients)
            responses.push_back(client.read_response());
    }

    // How many times the handler was called for these responses.
    std::size_t calls() const {
        std::set<std::string> bodies;
        for (auto const& response : responses)
            bodies.insert(response.body);
        return bodies.size();
    }

    ServerProcess server{{.limits = {"workers=1"}}};
    Client blocker = server.connect();
    std::vector<Client> clients;
    std::vector<Response> responses;
};

std::string shared(Parameters const& more = {}) {
    return request(get("/shared", more));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(coalescing, CoalescingFixture)

BOOST_AUTO_TEST_CASE(equal_requests_that_wait_get_one_response) {
    ask({shared(), shared(), shared(), shared()});
    BOOST_TEST(calls() == 1U);
    // Each on its own connection, which is kept as its client asked.
    for (auto& client : clients)
        BOOST_TEST(client.ask(get("/echo")).status == 200);
}

BOOST_AUTO_TEST_CASE(parameters_that_no_response_depends_on_make_no_difference) {
    ask({shared({{"REMOTE_PORT", "1"}}), shared({{"REMOTE_PORT", "2"}, {"HTTP_USER_AGENT", "x"}})});
    BOOST_TEST(calls() == 1U);
}

BOOST_AUTO_TEST_CASE(requests_that_differ_in_anything_else_are_answered_one_by_one) {
    ask({shared(), shared({{"HTTP_AUTHORIZATION", "Bearer a"}}),
         shared({{"HTTP_AUTHORIZATION", "Bearer b"}}),
         shared({{"HTTP_ORIGIN", "https://a.example"}}), shared({{"HTTP_IF_NONE_MATCH", "*"}}),
         shared({{"HTTP_STRAPI_RESPONSE_FORMAT", "v4"}}), request(get("/shared?a=1")),
         request(request_of("HEAD", "/shared"))});
    BOOST_TEST(calls() == 8U);
    BOOST_TEST(responses.back().body == ""); // of HEAD
}

BOOST_AUTO_TEST_CASE(a_handler_that_does_not_coalesce_is_called_for_each) {
    ask({request(get("/calls")), request(get("/calls")), request(get("/calls"))});
    BOOST_TEST(calls() == 3U);
}

BOOST_AUTO_TEST_CASE(a_failure_is_not_coalesced) {
    ask({request(get("/shared?fail")), request(get("/shared?fail"))});
    BOOST_TEST(calls() == 2U);
}

BOOST_AUTO_TEST_CASE(who_left_takes_nobody_elses_response_along) {
    blocker.send(request(get("/block")));
    server.wait_for_blocked(1);
    {
        auto gone = server.connect();
        gone.send(shared());
        clients.push_back(server.connect());
        clients.back().send(shared());
    }
    server.release(1);
    BOOST_TEST(clients.back().read_response().status == 200);
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(who_does_not_read_a_shared_response_holds_no_worker) {
    blocker.send(request(get("/block")));
    server.wait_for_blocked(1);
    for (int i = 0; i < 4; ++i) {
        clients.push_back(server.connect());
        clients.back().send(request(get("/shared?large")));
    }
    server.wait_for_arrivals();
    server.release(1);
    for (auto& client : clients)
        BOOST_TEST(client.has_arrivals_within(Client::patience));
    BOOST_TEST(server.serves());
    for (auto& client : clients)
        responses.push_back(client.read_response());
    BOOST_TEST(calls() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(share_among_workers)

BOOST_AUTO_TEST_CASE(who_asks_what_is_being_answered_is_answered_with_all_who_do_so) {
    ServerProcess server({.limits = {"workers=4", "hold=60000"}});
    std::vector<Client> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(server.connect());
        clients.back().send(request(get("/shared?block")));
        if (i == 0) server.wait_for_blocked(1);
    }
    server.wait_for_arrivals();
    // Others do not wait for it.
    BOOST_TEST(server.serves());
    server.release(1);
    auto const first = clients[0].read_response().body;
    server.wait_for_blocked(1);
    server.release(1);
    auto const second = clients[1].read_response().body;
    BOOST_TEST(second != first);
    BOOST_TEST(clients[2].read_response().body == second);
    BOOST_TEST(clients[3].read_response().body == second);
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_that_longer_than_the_longest_hold) {
    ServerProcess server({.limits = {"workers=2", "hold=50"}});
    auto slow = server.connect();
    slow.send(request(get("/shared?block")));
    server.wait_for_blocked(1);
    auto other = server.connect();
    other.send(request(get("/shared?block")));
    server.wait_for_blocked(1);
    server.release(2);
    BOOST_TEST(other.read_response().body != slow.read_response().body);
}

BOOST_AUTO_TEST_CASE(who_does_not_read_keeps_nobody_from_the_same_response) {
    ServerProcess server({.limits = {"workers=2"}});
    auto blockers = std::array{server.connect(), server.connect()};
    for (std::size_t i : {0U, 1U})
        blockers[i].send(request(get("/block?" + std::to_string(i))));
    server.wait_for_blocked(2);
    std::vector<Client> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(server.connect());
        clients.back().send(request(get("/shared?large")));
    }
    server.wait_for_arrivals();
    server.release(2);
    // The response is made for the first; the second reads it last.
    auto const made = clients[0].read_response().body;
    BOOST_TEST(made.size() > 16U * 1024 * 1024);
    for (std::size_t i : {2U, 3U, 1U})
        BOOST_TEST((clients[i].read_response().body == made), i);
}

BOOST_AUTO_TEST_SUITE_END()
