#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <unistd.h>

// Several processes on one socket.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(processes)

namespace {

ServerSettings two(std::vector<std::string> limits = {}) {
    limits.emplace_back("processes=2");
    return {.limits = std::move(limits)};
}

// Two children of the parent that are not `gone`.
bool has_two_without(ServerProcess const& server, std::vector<pid_t> const& gone = {}) {
    auto const now = server.children();
    return now.size() == 2 && std::ranges::none_of(now, [&](pid_t child) {
               return std::ranges::find(gone, child) != gone.end();
           });
}

std::vector<pid_t> first_children(ServerProcess const& server) {
    BOOST_REQUIRE(server.serves());
    BOOST_REQUIRE(eventually([&] { return has_two_without(server); }));
    return server.children();
}

bool is_unlinked(ServerProcess const& server) {
    return !std::filesystem::exists(server.address().substr(5));
}

} // namespace

BOOST_AUTO_TEST_CASE(p5_while_one_of_two_is_killed_the_other_serves_and_another_replaces_it) {
    ServerProcess server(two());
    for (pid_t const killed : first_children(server)) {
        ::kill(killed, SIGKILL);
        for (int i = 0; i < 10; ++i)
            BOOST_TEST(server.serves());
        BOOST_TEST(eventually([&] { return has_two_without(server, {killed}); }));
    }
    BOOST_TEST(server.log().find("ended by signal 9; another starts in") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(p13_a_process_that_a_request_brings_down_is_replaced) {
    ServerProcess server(two());
    auto const first = first_children(server);
    for (int i = 0; i < 2; ++i) {
        auto client = server.connect();
        client.send(request(get("/die")));
        BOOST_TEST(client.is_closed_by_server());
        BOOST_TEST(server.serves());
    }
    BOOST_TEST(eventually([&] { return has_two_without(server) && server.children() != first; }));
}

BOOST_AUTO_TEST_CASE(p5_a_process_that_is_told_to_stop_answers_first_and_is_replaced) {
    ServerProcess server(two({"workers=2"}));
    first_children(server);
    auto client = server.connect();
    auto const process = std::stoi(client.ask(get("/process")).body);
    client.send(request(get("/block")));
    server.wait_for_blocked(1);
    ::kill(process, SIGTERM);
    BOOST_TEST(server.serves());
    server.release(1);
    BOOST_TEST(client.read_answer().status == 200);
    BOOST_TEST(eventually([&] { return has_two_without(server, {process}); }));
}

BOOST_AUTO_TEST_CASE(p2_a_signal_to_stop_lets_all_of_them_answer) {
    for (int signal : {SIGTERM, SIGINT}) {
        ServerProcess server(two({"workers=2"}));
        auto const children = first_children(server);
        std::vector<Client> clients;
        for (int i = 0; i < 4; ++i) {
            clients.push_back(server.connect());
            clients.back().send(request(get("/block")));
        }
        server.wait_for_blocked(2); // the others may wait behind these
        server.signal(signal);
        BOOST_TEST(eventually([&] { return is_unlinked(server); }));
        server.release(4);
        for (auto& client : clients)
            BOOST_TEST(client.read_answer().status == 200);
        BOOST_TEST(server.exit_code().value_or(-1) == 0);
        BOOST_TEST(std::ranges::none_of(children, is_running));
    }
}

BOOST_AUTO_TEST_CASE(p3_a_request_cut_off_in_one_of_them_shows_in_the_exit_code) {
    ServerProcess server(two({"drain=200"}));
    first_children(server);
    auto client = server.connect();
    client.send(request(get("/block")));
    server.wait_for_blocked(1);
    server.signal(SIGTERM);
    BOOST_TEST(server.exit_code().value_or(-1) == 1);
}

BOOST_AUTO_TEST_CASE(p4_a_signal_to_reload_reaches_each) {
    ServerProcess server(two());
    auto const children = first_children(server);
    server.signal(SIGHUP);
    server.wait_for_blocked(2);
    BOOST_TEST(server.serves());
    server.release(2);
    BOOST_TEST(server.children() == children);
}

BOOST_AUTO_TEST_CASE(p5_processes_whose_parent_is_killed_end) {
    ServerProcess server(two());
    auto const children = first_children(server);
    server.signal(SIGKILL);
    BOOST_TEST(server.exit_code().value_or(-1) == 128 + SIGKILL);
    BOOST_TEST(eventually([&] { return std::ranges::none_of(children, is_running); }));
}

BOOST_AUTO_TEST_CASE(p5_processes_that_end_at_once_are_started_ever_less_often) {
    ServerProcess server(two({"stillborn=1"}));
    for (auto pause : {"100 ms", "200 ms", "400 ms"})
        BOOST_TEST(eventually([&] {
            return server.log().find("ended with exit status 7; another starts in " +
                                     std::string(pause)) != std::string::npos;
        }));
    server.signal(SIGTERM);
    BOOST_TEST(server.exit_code().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
