#include "server_process.hpp"
#include "service_manager.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

// Start, stop, reload.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(lifecycle)

namespace {

bool refuses(ServerProcess const& server) {
    return !std::filesystem::exists(server.address().substr(5));
}

// A socket that the test listens at, for servers that are given theirs.
struct SharedListener {
    int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::string address;

    SharedListener() {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        auto* generic = reinterpret_cast<sockaddr*>(&where);
        BOOST_REQUIRE(::bind(socket, generic, size) == 0);
        BOOST_REQUIRE(::listen(socket, 100) == 0);
        BOOST_REQUIRE(::getsockname(socket, generic, &size) == 0);
        address = "tcp:127.0.0.1:" + std::to_string(ntohs(where.sin_port));
    }
    ~SharedListener() { ::close(socket); }

    ServerSettings settings() const {
        return {.address = address, .stdin_fd = socket, .default_address = true};
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_signal_to_stop_ends_an_idle_server_with_0) {
    for (int signal : {SIGTERM, SIGINT}) {
        ServerProcess server;
        auto kept = server.connect();
        BOOST_TEST(kept.ask(get("/echo")).status == 200);
        auto silent = server.connect();
        server.signal(signal);
        BOOST_TEST(server.exit_code().value_or(-1) == 0);
        BOOST_TEST(kept.is_closed_by_server());
        BOOST_TEST(silent.is_closed_by_server());
        BOOST_TEST(refuses(server));
    }
}

BOOST_AUTO_TEST_CASE(requests_in_flight_are_answered_before_the_server_ends) {
    ServerProcess server({.limits = {"workers=2"}});
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) { // two with a worker, one that waits for its turn
        clients.push_back(server.connect());
        clients.back().send(request(get("/block")));
    }
    server.wait_for_blocked(2);
    // Another complete request, which the server may not have looked at when the signal comes.
    clients.push_back(server.connect());
    clients.back().send(request(get("/echo")));
    server.signal(SIGTERM);
    BOOST_TEST(eventually([&] { return refuses(server); }));
    server.release(3);
    for (auto& client : clients) {
        BOOST_TEST(client.read_response().status == 200);
        BOOST_TEST(client.is_closed_by_server());
    }
    BOOST_TEST(server.exit_code().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_request_that_came_before_the_signal_is_answered) {
    ServerProcess server({.limits = {"workers=1"}});
    auto kept = server.connect();
    BOOST_TEST(kept.ask(get("/echo")).status == 200);
    BOOST_TEST(server.serves()); // the worker has given the kept connection back by now
    server.signal(SIGSTOP);      // so that it finds request and signal at the same time
    kept.send(request(get("/echo")));
    auto fresh = server.connect();
    fresh.send(request(get("/echo")));
    server.signal(SIGTERM);
    server.signal(SIGCONT);
    BOOST_TEST(kept.read_response().status == 200);
    BOOST_TEST(fresh.read_response().status == 200);
    BOOST_TEST(server.exit_code().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(requests_still_running_at_the_drain_limit_are_cut_off) {
    ServerProcess server({.limits = {"drain=200"}});
    auto client = server.connect();
    client.send(request(get("/block")));
    server.wait_for_blocked(1);
    server.signal(SIGTERM);
    BOOST_TEST(server.exit_code().value_or(-1) == 1);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_AUTO_TEST_CASE(a_slow_reload_holds_no_request_up) {
    ServerProcess server({.limits = {"workers=1"}});
    auto client = server.connect();
    BOOST_TEST(client.ask(get("/reloads")).body == "0");
    server.signal(SIGHUP);
    server.wait_for_blocked(1);
    BOOST_TEST(client.ask(get("/echo")).status == 200);
    server.signal(SIGHUP); // while the first goes on
    BOOST_TEST(client.ask(get("/reloads")).body == "0");
    server.release(1);
    server.wait_for_blocked(1);
    server.release(1);
    BOOST_TEST(eventually([&] { return client.ask(get("/reloads")).body == "2"; }));
}

BOOST_AUTO_TEST_CASE(the_socket_of_a_running_server_is_left_alone) {
    ServerProcess server;
    BOOST_TEST(server.serves());
    ServerProcess second({.address = server.address()});
    BOOST_TEST(second.exit_code().value_or(-1) == 73);
    BOOST_TEST(second.log().find("another process listens there") != std::string::npos);
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(the_socket_of_a_killed_server_is_replaced) {
    ServerProcess server;
    BOOST_TEST(server.serves());
    server.signal(SIGKILL);
    BOOST_TEST(server.exit_code().value_or(-1) == 128 + SIGKILL);
    BOOST_TEST(!refuses(server));
    ServerProcess second({.address = server.address()});
    BOOST_TEST(second.serves());
}

BOOST_AUTO_TEST_CASE(a_listening_socket_as_descriptor_0_is_found_and_shared) {
    SharedListener const shared;
    ServerProcess first(shared.settings());
    BOOST_TEST(first.serves());
    ServerProcess second(shared.settings());
    first.signal(SIGTERM);
    BOOST_TEST(first.exit_code().value_or(-1) == 0);
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(second.serves());
    second.signal(SIGKILL);
    BOOST_TEST(second.exit_code().value_or(-1) == 128 + SIGKILL);
    ServerProcess third(shared.settings());
    BOOST_TEST(third.serves());
}

BOOST_AUTO_TEST_CASE(the_service_manager_is_told_of_readiness_and_end) {
    ServiceManager const manager;
    ServerProcess server({.environment = {manager.variable()}});
    BOOST_TEST(manager.notice() == "READY=1");
    BOOST_TEST(server.serves());
    server.signal(SIGTERM);
    BOOST_TEST(manager.notice() == "STOPPING=1");
    BOOST_TEST(server.exit_code().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_server_whose_workers_wait_gives_signs_of_life_and_one_that_hangs_none) {
    ServiceManager const manager;
    ServerProcess server(
        {.limits = {"workers=1"}, .environment = {manager.variable(), "WATCHDOG_USEC=200000"}});
    auto waiting = server.connect();
    waiting.send(request(get("/block")));
    server.wait_for_blocked(1);
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(manager.hears("WATCHDOG=1"));
    server.signal(SIGSTOP);
    int heard = 0; // before that
    while (heard < 100 && !manager.notice(std::chrono::seconds(1)).empty())
        ++heard;
    BOOST_TEST(heard < 100);
    server.signal(SIGKILL);
    BOOST_TEST(server.exit_code().value_or(-1) == 128 + SIGKILL);
}

BOOST_AUTO_TEST_CASE(a_response_of_eight_megabytes_goes_over_tcp_as_well) {
    SharedListener const shared;
    ServerProcess server(shared.settings());
    auto client = server.connect();
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(client.ask(get("/bytes?8388608")).body.size() == 8'388'608U);
}

BOOST_AUTO_TEST_SUITE_END()
