#include "fcgi/server/waiting_clients.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

// The test sets the clock, and the inquiry answers when it is told to; so it is known which clients
// wait for which reply.

BOOST_AUTO_TEST_SUITE(inquirers)

namespace {

using namespace std::chrono_literals;
using fcgi::Client;
using fcgi::Inquirers;

// As db::Inquiry.
struct ScriptedInquiry {
    std::uint64_t next() const { return sent + 1; }
    void ask() {
        if (epoch != 0 && sent == replied) ++sent;
    }
    db::Inquiry::InquiryResult look() const { return {replied, epoch}; }

    void reply_to_all() { replied = sent; }

    std::uint64_t epoch = 0;
    std::uint64_t sent = 0;
    std::uint64_t replied = 0;
};

struct Fixture {
    explicit Fixture(std::chrono::milliseconds bound = 0ms) : inquirers(bound) {}

    // The inquiry is in this epoch, and that is known.
    void begin(std::uint64_t epoch) {
        inquiry.epoch = epoch;
        reply();
    }
    Client& client() { return clients.emplace_back(-1, 0U); }
    bool add() {
        if (!inquirers.may_wait()) return false;
        inquirers.add(client(), inquiry.next(), now);
        return true;
    }
    // As the dispatcher does once in a round.
    void ask(Client::Time at) {
        if (!inquirers.is_to_ask()) return;
        auto const number = inquiry.next();
        inquiry.ask();
        if (inquiry.next() != number) inquirers.asked(number, at);
    }
    void ask() { ask(now); }
    void look() { inquirers.heard(inquiry.look()); }
    void reply() {
        inquiry.reply_to_all();
        look();
    }
    // The epochs of those whose wait is over.
    std::vector<std::uint64_t> over() {
        std::vector<std::uint64_t> epochs;
        while (Client const* one = inquirers.next(now))
            epochs.push_back(one->request.epoch);
        return epochs;
    }

    ScriptedInquiry inquiry;
    Inquirers inquirers;
    std::deque<Client> clients;
    Client::Time now{1'000s};
};

using Epochs = std::vector<std::uint64_t>;

} // namespace

BOOST_FIXTURE_TEST_CASE(without_anybody_to_ask_nobody_waits, Fixture) {
    BOOST_TEST(!add());
    BOOST_TEST(!inquirers.is_to_ask());
    BOOST_TEST(inquirers.epoch_at_once(now) == 0U);
}

BOOST_FIXTURE_TEST_CASE(one_inquiry_is_for_all_who_came_before_it_was_sent, Fixture) {
    begin(7);
    BOOST_TEST(add());
    BOOST_TEST(add());
    ask();
    BOOST_TEST(inquiry.sent == 1U);
    BOOST_TEST(add()); // too late for that one
    ask();
    BOOST_TEST(inquiry.sent == 1U);
    BOOST_TEST(over() == Epochs(), boost::test_tools::per_element());
    reply();
    BOOST_TEST(over() == Epochs({7, 7}), boost::test_tools::per_element());
    ask();
    reply();
    BOOST_TEST(over() == Epochs({7}), boost::test_tools::per_element());
    BOOST_TEST(inquiry.sent == 2U);
}

BOOST_FIXTURE_TEST_CASE(nobody_is_asked_for_nobody, Fixture) {
    begin(7);
    ask();
    BOOST_TEST(inquiry.sent == 0U);
}

BOOST_FIXTURE_TEST_CASE(when_the_log_ends_all_who_wait_go_without, Fixture) {
    begin(7);
    add();
    ask();
    add();
    inquiry.epoch = 0;
    look();
    BOOST_TEST(over() == Epochs({0, 0}), boost::test_tools::per_element());
    BOOST_TEST(!add());
    begin(8);
    BOOST_TEST(add());
}

// The inquiry of one epoch is not answered in the next.
BOOST_FIXTURE_TEST_CASE(who_waits_from_one_epoch_to_the_next_is_asked_for_again, Fixture) {
    begin(7);
    add();
    ask();
    inquiry.epoch = 8;
    inquiry.replied = 0;
    inquiry.sent = 1;
    look();
    BOOST_TEST(over() == Epochs(), boost::test_tools::per_element());
    reply();
    BOOST_TEST(over() == Epochs({8}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(who_waited_in_vain_is_the_last_to_wait_until_there_is_a_response, Fixture) {
    begin(7);
    add();
    ask();
    now += 20ms;
    add();
    now += Inquirers::patience - 21ms;
    BOOST_TEST(over() == Epochs(), boost::test_tools::per_element());
    BOOST_TEST((inquirers.next_look() == now + 1ms));
    now += 1ms;
    BOOST_TEST(over() == Epochs({0, 0}), boost::test_tools::per_element());
    BOOST_TEST((inquirers.next_look() == Client::Time::max()));
    BOOST_TEST(!add());
    reply();
    BOOST_TEST(add());
}

// The dispatcher was held up: by the time that it sees the reply to the first inquiry, the second
// client has waited too long, and nobody is left to ask for.
BOOST_FIXTURE_TEST_CASE(
    who_waited_in_vain_for_an_inquiry_that_was_not_sent_is_not_the_last_for_ever, Fixture) {
    begin(7);
    add();
    ask();
    add();
    now += Inquirers::patience;
    reply();
    BOOST_TEST(over() == Epochs({7, 0}), boost::test_tools::per_element());
    BOOST_TEST(!add());
    ask();
    reply();
    BOOST_TEST(add());
}

BOOST_AUTO_TEST_CASE(what_was_confirmed_is_good_for_the_bound_from_when_it_was_asked) {
    Fixture fixture(100ms);
    fixture.begin(7);
    BOOST_TEST(fixture.inquirers.epoch_at_once(fixture.now) == 0U);
    fixture.add();
    fixture.ask();
    auto const asked = fixture.now;
    fixture.now += 30ms;
    fixture.reply();
    BOOST_TEST(fixture.over() == Epochs({7}), boost::test_tools::per_element());
    std::tuple<std::chrono::milliseconds, std::uint64_t, bool> const table[] = {
        {30ms, 7, false}, {49ms, 7, false}, {99ms, 7, true}, {100ms, 0, false}};
    for (auto const& [since, epoch, is_asked_anew] : table) {
        auto const sent = fixture.inquiry.sent;
        BOOST_TEST(fixture.inquirers.epoch_at_once(asked + since) == epoch);
        fixture.ask(asked + since);
        BOOST_TEST((fixture.inquiry.sent > sent) == is_asked_anew);
    }
    fixture.reply();
    fixture.begin(8); // nothing was asked in it
    BOOST_TEST(fixture.inquirers.epoch_at_once(asked + 100ms) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(replied)

namespace {

using fcgi::Client;
using fcgi::ReturnedClients;

// One that is answered in full, has to be kept, and has said nothing since.
struct Done : Client {
    Done() : Client(-1, 100) { keep = true; }
};

struct Waking {
    bool is_woken_by(Client& client) {
        replied.put(client);
        return !dispatcher.wait(fcgi::Epoll::Time::min()).empty();
    }

    fcgi::Epoll dispatcher;
    ReturnedClients replied{dispatcher};
};

} // namespace

BOOST_AUTO_TEST_CASE(the_dispatcher_is_woken_for_who_needs_it) {
    struct {
        std::string what;
        std::function<void(Client&)> make;
        bool is_woken;
    } const table[] = {
        {"is done", [](Client&) {}, false},
        {"is to be closed", [](Client& client) { client.keep = false; }, true},
        {"takes the rest of its answer",
         [](Client& client) { client.outgoing = std::make_shared<fcgi::Response>(); }, true},
        {"sent the next request along", [](Client& client) { client.unread = "next"; }, true},
        {"said something meanwhile", [](Client& client) { client.is_waiting = true; }, true},
    };
    for (auto const& [what, make, is_woken] : table) {
        Waking waking;
        ReturnedClients& replied = waking.replied;
        Done client;
        make(client);
        BOOST_TEST(waking.is_woken_by(client) == is_woken, what);
        BOOST_TEST(replied.take() == std::vector<Client*>{&client},
                   boost::test_tools::per_element());
        BOOST_TEST(replied.take().empty());
    }
}

BOOST_FIXTURE_TEST_CASE(it_is_woken_once_until_it_looks, Waking) {
    Done done, first, second, third;
    for (Client* client : {&first, &second, &third})
        client->is_waiting = true;
    BOOST_TEST(!is_woken_by(done));
    BOOST_TEST(is_woken_by(first));
    BOOST_TEST(!is_woken_by(second));
    BOOST_TEST(replied.take().size() == 3U);
    BOOST_TEST(is_woken_by(third));
}

BOOST_FIXTURE_TEST_CASE(about_to_stop_it_is_woken_for_each, Waking) {
    Done before, after;
    BOOST_TEST(!is_woken_by(before));
    replied.await_each();
    BOOST_TEST(is_woken_by(after));
    BOOST_TEST(replied.take().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

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
                ++replied;
                unsent = one->unsent;
            }
            auto const* notice = std::get_if<Notice>(&event);
            if (!notice) return;
            if (notice->id == "client-cut-off") ++unread;
            if (notice->id == "client-cut-off-for-memory") ++unread;
            if (notice->id == "sending-responses") sending_now.responses = notice->number;
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
    Client& add(std::shared_ptr<Response const> reply, Client::Time now) {
        std::array<int, 2> sockets{};
        BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) ==
                           0);
        far_ends.push_back(sockets[1]);
        Client& client = clients.emplace_back(sockets[0], 0U);
        client.begin_response(std::move(reply));
        BOOST_TEST_REQUIRE((client.send(options.observe) == SendResult::blocked));
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
    SlowReaders sending{options};
    std::deque<Client> clients;
    std::vector<int> far_ends;
    int replied = 0, unread = 0;
    std::size_t unsent = 0; // of the last that was answered
    struct {
        std::size_t responses = 0, bytes = 0;
    } sending_now;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sending, SendingFixture)

BOOST_AUTO_TEST_CASE(a_response_is_told_of_when_the_last_of_it_is_sent) {
    Client& client = add(megabyte, start);
    BOOST_TEST(sending_now.responses == 1U);
    while (client.outgoing) {
        BOOST_TEST(replied == 0);
        BOOST_TEST(sending_now.bytes == client.writer.bytes_left());
        BOOST_TEST_REQUIRE(read(client) > 0U);
        sending.send(client, start);
    }
    BOOST_TEST(replied == 1);
    BOOST_TEST(unsent == 0U);
    BOOST_TEST(sending.size() == 0U);
    BOOST_TEST(sending_now.responses == 0U);
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
    BOOST_TEST(replied == 1);
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

BOOST_AUTO_TEST_CASE(a_response_that_many_get_is_held_until_the_last_of_them_went) {
    auto reply = response(3 * megabyte);
    Client& first = add(reply, start);
    Client& equal = add(std::move(reply), start);
    BOOST_TEST(options.memory->held() == 3 * megabyte);
    sending.remove(first);
    BOOST_TEST(options.memory->held() == 3 * megabyte);
    sending.remove(equal);
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
