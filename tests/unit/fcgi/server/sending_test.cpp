#include "fcgi/server/sending.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using namespace fcgi;

constexpr std::size_t megabyte = 1024 * 1024;

// Clients that read when a test does, and a clock that it sets.
struct SendingFixture {
    SendingFixture() {
        options.memory = std::make_shared<parser::MemoryBudget>(8 * megabyte);
        options.limits.write = 10s;
        options.observe = [this](Event const& event) {
            if (auto const* one = std::get_if<ResponseSent>(&event)) {
                ++answered;
                unsent = one->unsent;
            }
            auto const* notice = std::get_if<Notice>(&event);
            if (!notice) return;
            if (notice->id == "client-cut-off") ++unread;
            if (notice->id == "client-cut-off-for-memory") ++unread;
            if (notice->id == "sending-responses") sending_now.answers = notice->number;
            if (notice->id == "sending-bytes") sending_now.bytes = notice->number;
        };
    }
    ~SendingFixture() {
        for (Client const& client : clients)
            ::close(client.socket);
        for (int const socket : far_ends)
            ::close(socket);
    }

    std::shared_ptr<Response const> response(std::size_t bytes) const {
        auto response = std::make_shared<Response>();
        response->memory = parser::MemoryShare(*options.memory);
        BOOST_TEST_REQUIRE(response->memory.grow(bytes));
        response->memory.settle();
        response->body.own().assign(bytes, 'x');
        return response;
    }

    // It reads nothing of that.
    Client& add(std::shared_ptr<Response const> answer, Client::Time now) {
        std::array<int, 2> sockets{};
        BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) ==
                           0);
        far_ends.push_back(sockets[1]);
        Client& client = clients.emplace_back(sockets[0], 0U);
        client.begin_answer(std::move(answer));
        BOOST_TEST_REQUIRE((client.send(options.observe) == Client::Progress::blocked));
        sending.add(client, now);
        return client;
    }
    Client& add(std::size_t bytes, Client::Time now) { return add(response(bytes), now); }

    std::size_t read(Client const& client, std::size_t most = 100 * megabyte) {
        std::string buffer(16 * 1024, '\0');
        std::size_t total = 0;
        auto const same = [&](Client const& one) { return &one == &client; };
        auto const at = std::ranges::find_if(clients, same) - clients.begin();
        auto const far_end = far_ends[static_cast<std::size_t>(at)];
        while (total < most) {
            auto const got = ::read(far_end, buffer.data(), buffer.size());
            if (got <= 0) break;
            total += static_cast<std::size_t>(got);
        }
        return total;
    }

    Client::Time const start{1h};
    ServerOptions options;
    Sending sending{options};
    std::deque<Client> clients;
    std::vector<int> far_ends;
    int answered = 0, unread = 0;
    std::size_t unsent = 0; // of the last that was answered
    struct {
        std::size_t answers = 0, bytes = 0;
    } sending_now;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sending, SendingFixture)

BOOST_AUTO_TEST_CASE(an_answer_is_told_of_when_the_last_of_it_is_sent) {
    Client& client = add(megabyte, start);
    BOOST_TEST(sending_now.answers == 1U);
    while (client.answer) {
        BOOST_TEST(answered == 0);
        BOOST_TEST(sending_now.bytes == client.writer.bytes_left());
        BOOST_TEST_REQUIRE(read(client) > 0U);
        sending.send(client, start);
    }
    BOOST_TEST(answered == 1);
    BOOST_TEST(unsent == 0U);
    BOOST_TEST(sending.size() == 0U);
    BOOST_TEST(sending_now.answers == 0U);
    BOOST_TEST(sending_now.bytes == 0U);
    BOOST_TEST(options.memory->held() == 0U);
}

BOOST_AUTO_TEST_CASE(who_takes_nothing_has_to_go_after_the_write_limit) {
    Client& client = add(megabyte, start);
    BOOST_TEST(sending.overdue(start + 9'999ms) == nullptr);
    BOOST_TEST(unread == 0);
    BOOST_TEST(sending.overdue(start + 10s) == &client);
    BOOST_TEST(unread == 1);
    sending.remove(client);
    BOOST_TEST(answered == 1);
    // All but what the client could still read.
    BOOST_TEST(unsent > megabyte - read(client));
    BOOST_TEST(unsent < megabyte);
    BOOST_TEST(sending_now.bytes == 0U);
    BOOST_TEST(options.memory->held() == 0U);
    BOOST_TEST(sending.overdue(start + 1h) == nullptr);
}

BOOST_AUTO_TEST_CASE(whatever_is_sent_gives_it_that_time_again) {
    Client& client = add(4 * megabyte, start);
    BOOST_TEST(read(client) > 0U);
    sending.send(client, start + 9s);
    sending.send(client, start + 12s); // sends nothing
    BOOST_TEST(sending.overdue(start + 18'999ms) == nullptr);
    BOOST_TEST(sending.overdue(start + 19s) == &client);
}

// The socket does not become writable by that.
BOOST_AUTO_TEST_CASE(so_does_what_it_reads_of_what_the_socket_holds) {
    Client& client = add(4 * megabyte, start);
    BOOST_TEST(read(client, 64 * 1024) == 64U * 1024);
    BOOST_TEST(sending.overdue(start + 10s) == nullptr);
    BOOST_TEST(sending.overdue(start + 19'999ms) == nullptr);
    BOOST_TEST(sending.overdue(start + 20s) == &client);
}

BOOST_AUTO_TEST_CASE(while_memory_is_short_those_who_took_nothing_for_longest_go_first) {
    Client& first = add(2 * megabyte, start);
    Client& second = add(2 * megabyte, start + 100ms);
    BOOST_TEST(sending.overdue(start + 9s) == nullptr); // a half is not short
    Client& third = add(2 * megabyte, start + 9s);
    Client& fourth = add(megabyte, start + 9s);
    BOOST_TEST(read(first) > 0U);
    sending.send(first, start + 9s);
    // By now it is 7 MB of 8.
    BOOST_TEST(sending.overdue(start + 9'500ms) == &second);
    sending.remove(second);
    BOOST_TEST(sending.overdue(start + 9'999ms) == nullptr);
    BOOST_TEST(sending.overdue(start + 10s) == &third);
    sending.remove(third);
    BOOST_TEST(sending.overdue(start + 10s) == nullptr);
    BOOST_TEST(sending.overdue(start + 19s) == &fourth);
}

BOOST_AUTO_TEST_CASE(an_answer_that_many_get_is_held_until_the_last_of_them_went) {
    auto answer = response(3 * megabyte);
    Client& first = add(answer, start);
    Client& twin = add(std::move(answer), start);
    BOOST_TEST(options.memory->held() == 3 * megabyte);
    sending.remove(first);
    BOOST_TEST(options.memory->held() == 3 * megabyte);
    sending.remove(twin);
    BOOST_TEST(options.memory->held() == 0U);
}

BOOST_AUTO_TEST_CASE(it_says_when_to_look_again) {
    BOOST_TEST((sending.next_look(start) == Client::Time::max()));
    add(megabyte, start);
    BOOST_TEST((sending.next_look(start) == start + 1s));
    BOOST_TEST((sending.next_look(start + 2s) == start + 2'250ms));
    BOOST_TEST((sending.next_look(start + 9'900ms) == start + 10s));
}

BOOST_AUTO_TEST_SUITE_END()
