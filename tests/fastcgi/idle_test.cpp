#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>

// Connections that ask for nothing, where the system gives no descriptors for others.

using namespace fastcgi;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(idle)

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned max_files = 40; // of which the server takes some ten for itself

std::vector<Client> idle_clients(ServerProcess const& server, int count) {
    std::vector<Client> clients;
    for (int i = 0; i < count; ++i)
        clients.push_back(server.connect()); // the kernel takes them all
    return clients;
}

bool is_served(ServerProcess const& server) try {
    return server.serves();
} catch (std::runtime_error const&) {
    return false; // it waits in vain
}

} // namespace

BOOST_AUTO_TEST_CASE(new_clients_are_served_however_many_are_idle) {
    ServerProcess server({.max_files = max_files});
    auto const idle = idle_clients(server, 300);
    for (int i = 0; i < 5; ++i)
        BOOST_TEST_REQUIRE(is_served(server));
    BOOST_TEST(server.log().find("closed idle connections") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(whoever_asks_for_something_or_has_not_all_of_it_is_never_closed) {
    constexpr std::size_t large = 4 * 1024 * 1024;
    ServerProcess server({.limits = {"workers=2", "read=60000"}, .max_files = max_files});
    auto waits = server.connect();
    waits.send(request(get("/block")));
    server.wait_for_blocked(1);
    auto reads_nothing = server.connect();
    reads_nothing.send(request(get("/bytes?" + std::to_string(large))));
    BOOST_TEST_REQUIRE(reads_nothing.has_arrivals_within(Client::patience));
    auto says_half = server.connect();
    auto const whole = request(get("/echo"));
    says_half.send(std::string_view(whole).substr(0, 20));

    auto const idle = idle_clients(server, 100);
    BOOST_TEST(is_served(server));

    server.release(1);
    BOOST_TEST(waits.read_response().status == 200);
    BOOST_TEST(reads_nothing.read_response().body.size() == large);
    says_half.send(std::string_view(whole).substr(20));
    BOOST_TEST(says_half.read_response().status == 200);
}

BOOST_AUTO_TEST_CASE(where_nobody_is_idle_new_clients_are_served_once_others_go) {
    ServerProcess server({.limits = {"read=60000"}, .max_files = max_files});
    std::vector<Client> busy; // each at once, since who says nothing is idle soon
    for (unsigned i = 0; i < max_files; ++i) {
        busy.push_back(server.connect());
        busy.back().send(request(get("/bytes?4000000"))); // and does not read them
    }
    auto waits = server.connect();
    waits.send(request(get("/echo")));
    BOOST_TEST(eventually(
        [&] { return server.log().find("cannot accept connections") != std::string::npos; }));
    BOOST_TEST(!waits.has_arrivals_within(200ms));
    busy.clear();
    BOOST_TEST(waits.read_response().status == 200);
}

BOOST_AUTO_TEST_CASE(whoever_asked_lately_stays_while_others_are_idle_for_longer) {
    ServerProcess server({.max_files = max_files});
    auto old = idle_clients(server, 10);
    auto asks = server.connect();
    auto const later = Clock::now() + 2s;
    while (Clock::now() < later)
        BOOST_TEST_REQUIRE(asks.ask(get("/echo")).status == 200);
    auto const fresh = idle_clients(server, 30); // more than there are descriptors for
    for (auto& client : old)
        BOOST_TEST(client.is_closed_by_server());
    BOOST_TEST(asks.ask(get("/echo")).status == 200);
}

BOOST_AUTO_TEST_CASE(nobody_is_closed_while_no_new_client_waits) {
    ServerProcess server({.max_files = max_files});
    BOOST_TEST(server.serves());
    std::vector<Client> clients;
    auto const last_descriptor =
        "/proc/" + std::to_string(server.id()) + "/fd/" + std::to_string(max_files - 1);
    while (!std::filesystem::is_symlink(last_descriptor)) {
        clients.push_back(server.connect());
        BOOST_TEST_REQUIRE(clients.back().ask(get("/echo")).status == 200);
    }
    auto const later = Clock::now() + 500ms;
    while (Clock::now() < later)
        BOOST_TEST_REQUIRE(clients.front().ask(get("/echo")).status == 200);
    for (auto& client : clients)
        BOOST_TEST(client.ask(get("/echo")).status == 200);
    BOOST_TEST(server.log().find("closed idle connections") == std::string::npos);
    BOOST_TEST(server.log().find("cannot accept connections") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
