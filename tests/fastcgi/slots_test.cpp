#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <utility>

// Expensive requests leave some workers to others.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(slots)

namespace {

// Expensive requests have two of four workers, both of which are blocked.
struct Fixture {
    explicit Fixture(std::vector<std::string> limits = {}) : server({.limits = std::move(limits)}) {
        for (auto const* uri : {"/expensive?block1", "/expensive?block2"})
            clients.push_back(server.blocked(uri));
    }

    Client& ask(std::string const& uri) {
        clients.push_back(server.connect());
        clients.back().send(request(get(uri)));
        return clients.back();
    }
    // They did not go by.
    void release_and_check() {
        server.release(2);
        for (std::size_t i : {0U, 1U})
            BOOST_TEST(clients[i].read_response().status == 200);
    }

    ServerProcess server;
    std::deque<Client> clients;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(who_finds_no_slot_holds_no_worker_and_is_answered_when_there_is_one,
                        Fixture) {
    std::vector<Client*> waiting;
    for (auto const* uri : {"/expensive?a", "/expensive?b", "/expensive?c", "/expensive?d"})
        waiting.push_back(&ask(uri));
    for (int i = 0; i < 10; ++i)
        BOOST_TEST(server.serves());
    for (auto* client : waiting)
        BOOST_TEST(!client->has_arrivals_within(std::chrono::milliseconds(1)));
    release_and_check();
    for (auto* client : waiting)
        BOOST_TEST(client->read_response().status == 200);
}

// It is assumed that they take a second, so that half of one is left.
BOOST_AUTO_TEST_CASE(who_would_find_none_in_time_is_refused_at_once) {
    Fixture fixture({"acquire=300"});
    auto const refused = fixture.ask("/expensive").read_response();
    BOOST_TEST(refused.status == 503);
    BOOST_TEST(refused.header("Retry-After") == "1");
    BOOST_TEST(eventually([&] { return fixture.server.serves(); }));
    fixture.release_and_check();
}

BOOST_AUTO_TEST_CASE(who_found_none_in_time_is_refused_then) {
    Fixture fixture({"acquire=900"});
    auto& late = fixture.ask("/expensive");
    BOOST_TEST(eventually([&] { return fixture.server.serves(); }));
    BOOST_TEST(late.read_response().status == 503); // though no slot was free, then or now
    BOOST_TEST(eventually([&] { return fixture.server.serves(); }));
    fixture.release_and_check();
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_worker_too_long_is_refused) {
    ServerProcess server({.limits = {"workers=1", "acquire=100"}});
    auto blocker = server.blocked("/block");
    auto late = server.connect();
    late.send(request(get("/echo")));
    server.wait_for_arrivals();
    BOOST_TEST(!late.has_arrivals_within(std::chrono::milliseconds(200)));
    server.release(1);
    BOOST_TEST(blocker.read_response().status == 200);
    BOOST_TEST(late.read_response().status == 503);
    BOOST_TEST(eventually([&] { return server.serves(); }));
}

BOOST_AUTO_TEST_SUITE_END()
