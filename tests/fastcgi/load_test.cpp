#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

// Each request gets a worker in its turn, and nothing else holds one.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(load)

BOOST_AUTO_TEST_CASE(more_kept_connections_than_workers_all_make_progress) {
    constexpr int clients = 16;
    constexpr int enough = 50;
    ServerProcess server({.limits = {"workers=4"}});
    std::atomic<int> satisfied = 0;
    std::atomic<int> failed = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < clients; ++i)
        threads.emplace_back([&] {
            try {
                auto client = server.connect();
                // Nobody stops before the last one has enough, so the greedy compete to the end.
                for (int responses = 0; satisfied + failed < clients;) {
                    client.ask(get("/echo"));
                    if (++responses == enough) ++satisfied;
                }
            } catch (std::runtime_error const&) {
                ++failed;
            }
        });
    for (auto& thread : threads)
        thread.join();
    BOOST_TEST(satisfied == clients);
}

BOOST_AUTO_TEST_CASE(half_a_head_occupies_no_worker_and_is_closed_at_the_read_limit) {
    ServerProcess server({.limits = {"workers=4", "read=400"}});
    auto idle = server.connect(); // sends nothing: not limited
    std::vector<Client> half_open;
    auto const whole = request(get("/echo"));
    for (std::size_t i = 0; i < 16; ++i) {
        half_open.push_back(server.connect());
        half_open.back().send(std::string_view(whole).substr(0, 1 + i * 9));
    }
    BOOST_TEST(server.serves());
    for (auto& client : half_open)
        BOOST_TEST(client.is_closed_by_server());
    BOOST_TEST(idle.ask(get("/echo")).status == 200);
    BOOST_TEST(!idle.has_arrivals_within(std::chrono::milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(a_head_that_trickles_is_closed_at_the_read_limit) {
    ServerProcess server({.limits = {"workers=1", "read=300"}});
    auto client = server.connect();
    auto const start = std::chrono::steady_clock::now();
    std::size_t sent = 0;
    client.send(begin());
    while (!client.has_arrivals_within(std::chrono::milliseconds(10))) {
        client.try_send(record(params, 1, "x"));
        BOOST_REQUIRE(++sent < 2000U);
        if (sent == 5) BOOST_TEST(server.serves());
    }
    BOOST_TEST(client.is_closed_by_server());
    BOOST_TEST((std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(300)));
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_while_it_is_answered_frees_its_worker) {
    ServerProcess server({.limits = {"workers=1"}});
    for (int i = 0; i < 5; ++i) {
        auto client = server.connect();
        client.send(request(get("/bytes?8388608")));
        BOOST_TEST(client.has_arrivals_within(Client::patience));
    }
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_before_it_is_answered_frees_its_worker) {
    ServerProcess server({.limits = {"workers=1"}});
    server.connect().send(request(get("/block")));
    server.wait_for_blocked(1);
    server.release(1);
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(a_request_that_no_worker_had_time_for_gets_503) {
    ServerProcess server({.limits = {"workers=1", "request=100"}});
    auto const first = server.blocked("/block");
    auto second = server.connect();
    second.send(request(get("/echo")));
    server.wait_for_arrivals();
    auto const overdue = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    BOOST_TEST(eventually([&] { return std::chrono::steady_clock::now() > overdue; }));
    server.release(1);
    auto response = second.read_response();
    BOOST_TEST(response.status == 503);
    BOOST_TEST(response.header("Retry-After") == "1");
}

BOOST_AUTO_TEST_CASE(a_thousand_connections_at_once_are_served_and_their_files_closed) {
    ServerProcess server({.limits = {"workers=8"}});
    BOOST_TEST(server.serves());
    BOOST_TEST(eventually([&, baseline = server.open_files()] {
        return server.open_files() <= baseline; // the first client's is on its way out
    }));
    auto const baseline = server.open_files();
    {
        std::vector<Client> clients;
        for (int i = 0; i < 1000; ++i)
            clients.push_back(server.connect());
        for (auto& client : clients)
            client.send(request(get("/echo")));
        for (auto& client : clients)
            BOOST_REQUIRE(client.read_response().status == 200);
        BOOST_TEST(server.open_files() >= baseline + 999);
    }
    BOOST_TEST(eventually([&] { return server.open_files() <= baseline; }));
}

BOOST_AUTO_TEST_SUITE_END()
