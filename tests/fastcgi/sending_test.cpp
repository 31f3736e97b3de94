#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <thread>

#include <sys/socket.h>

// Responses whose clients do not take them at once.

using namespace fastcgi;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(sending)

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t megabyte = 1024 * 1024;

std::string bytes(std::size_t count) {
    return request(get("/bytes?" + std::to_string(count)));
}

// Returns whether the body is that of the test server's /bytes.
bool are_bytes(std::string const& body, std::size_t count) {
    if (body.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (body[i] != static_cast<char>(i * 31 + (i >> 8) * 7)) return false;
    return true;
}

// Asks for so much, and reads nothing of it by now.
Client silent_reader(ServerProcess const& server, std::size_t count) {
    auto client = server.connect();
    client.send(bytes(count));
    BOOST_TEST_REQUIRE(client.has_arrivals_within(Client::patience));
    return client;
}

bool is_cut_short(Client& client) {
    try {
        client.read_response();
        return false;
    } catch (std::runtime_error const& error) {
        return std::string_view(error.what()).starts_with("closed");
    }
}

// Reads as a line of 640 kB/s would, until so much has come.
bool reads_slowly(Client const& client, std::size_t count) {
    std::string piece(64 * 1024, '\0');
    for (std::size_t read = 0; read < count;) {
        auto const got = ::recv(client.socket(), piece.data(), piece.size(), MSG_WAITALL);
        if (got <= 0) return false;
        read += static_cast<std::size_t>(got);
        std::this_thread::sleep_for(100ms);
    }
    return true;
}

bool says_eventually(ServerProcess const& server, std::string_view text) {
    return eventually([&] { return server.log().find(text) != std::string::npos; });
}

} // namespace

BOOST_AUTO_TEST_CASE(silent_readers_hold_no_worker_and_get_all_of_it_later) {
    ServerProcess server({.limits = {"workers=2"}});
    std::vector<Client> silent;
    for (int i = 0; i < 8; ++i)
        silent.push_back(silent_reader(server, 4 * megabyte));
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(server.serves());
    for (auto& client : silent) {
        BOOST_TEST(are_bytes(client.read_response().body, 4 * megabyte));
        BOOST_TEST(client.ask(get("/echo")).status == 200); // its connection is kept
    }
}

BOOST_AUTO_TEST_CASE(requests_behind_a_large_response_are_answered_in_their_order) {
    ServerProcess server({.limits = {"workers=4"}});
    auto client = server.connect();
    client.send(bytes(3 * megabyte) + request(needs_no_worker(1)) + bytes(2 * megabyte) +
                request(get("/echo"), Keep::no));
    BOOST_TEST(are_bytes(client.read_response().body, 3 * megabyte));
    BOOST_TEST(number_of(client.read_response()) == 1);
    BOOST_TEST(are_bytes(client.read_response().body, 2 * megabyte));
    BOOST_TEST(client.read_response().status == 200);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_AUTO_TEST_CASE(whoever_takes_nothing_for_the_write_limit_is_cut_off_and_no_other) {
    ServerProcess server({.limits = {"workers=1", "write=1000"}});
    auto const begun = Clock::now();
    auto silent = silent_reader(server, 4 * megabyte);
    auto slow = silent_reader(server, 3 * megabyte / 2);
    BOOST_TEST(reads_slowly(slow, 3 * megabyte / 2)); // takes twice the limit
    BOOST_TEST(slow.read_record().has_value());
    BOOST_TEST(says_eventually(server, "cut off a client that did not read its response"));
    BOOST_TEST((Clock::now() - begun >= 1s));
    BOOST_TEST(is_cut_short(silent));
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(while_memory_is_short_whoever_takes_nothing_for_longest_is_cut_off) {
    // Short from a half on.
    ServerProcess server({.limits = {"workers=1", "memory=8388608"}});
    auto const begun = Clock::now();
    auto first = silent_reader(server, 3 * megabyte);
    auto second = silent_reader(server, 3 * megabyte);
    BOOST_TEST(says_eventually(server, "memory is short"));
    BOOST_TEST((Clock::now() - begun >= 1s)); // and long before the write limit
    BOOST_TEST(is_cut_short(first));
    BOOST_TEST(are_bytes(second.read_response().body, 3 * megabyte));
}

BOOST_AUTO_TEST_CASE(clients_that_go_in_the_middle_leave_nothing_behind) {
    ServerProcess server({.limits = {"workers=2", "memory=8388608"}});
    BOOST_TEST(server.serves());
    auto const baseline = server.open_files();
    // More of them than the memory has room for.
    for (int i = 0; i < 20; ++i)
        silent_reader(server, 2 * megabyte);
    BOOST_TEST(eventually([&] { return server.open_files() <= baseline; }));
    BOOST_TEST(eventually([&] { // they hold nothing any more
        auto client = server.connect();
        client.send(bytes(5 * megabyte));
        return are_bytes(client.read_response().body, 5 * megabyte);
    }));
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_sends_on_to_who_reads) {
    ServerProcess server;
    auto client = silent_reader(server, 4 * megabyte);
    server.signal(SIGTERM);
    BOOST_TEST(says_eventually(server, "stopping, requests in flight: 1"));
    BOOST_TEST(are_bytes(client.read_response().body, 4 * megabyte));
    BOOST_TEST(client.is_closed_by_server());
    BOOST_TEST(server.exit_code().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_waits_for_who_does_not_read_until_the_drain_limit) {
    ServerProcess server({.limits = {"drain=300"}});
    auto client = silent_reader(server, 4 * megabyte);
    server.signal(SIGTERM);
    BOOST_TEST(server.exit_code().value_or(-1) == 1);
    BOOST_TEST(server.log().find("requests cut off: 1") != std::string::npos);
    BOOST_TEST(is_cut_short(client));
}

BOOST_AUTO_TEST_SUITE_END()
