#include "shop.hpp"

#include "tests/faults/chaos_proxy.hpp"

using namespace shop;

BOOST_AUTO_TEST_SUITE(inquiry)

BOOST_AUTO_TEST_CASE(without_an_epoch_there_is_nobody_to_ask) {
    db::ChangeLog log({.url = follower()}, [](auto const&) {});
    db::Inquiry inquiry(log);
    inquiry.ask();
    BOOST_TEST(inquiry.look().epoch == 0U);
    BOOST_TEST(inquiry.next() == 1U);
}

BOOST_AUTO_TEST_CASE(who_arrives_after_an_inquiry_was_sent_waits_for_the_next) {
    Following following;
    following.await_epoch();
    db::Inquiry inquiry(following.log);
    auto const first = inquiry.next();
    inquiry.ask();
    BOOST_TEST(inquiry.next() == first + 1);
    server::wait_until([&] { return inquiry.look().number >= first; });
    BOOST_TEST(inquiry.look().number == first);
    BOOST_TEST(inquiry.look().epoch == following.log.epoch());
}

BOOST_AUTO_TEST_CASE(a_new_epoch_is_told_by_the_descriptor) {
    Following following;
    db::Inquiry inquiry(following.log);
    server::wait_until([&] {
        pollfd polled{inquiry.descriptor(), POLLIN, 0};
        ::poll(&polled, 1, 100);
        return inquiry.look().epoch != 0;
    });
    pollfd polled{inquiry.descriptor(), POLLIN, 0};
    BOOST_TEST(::poll(&polled, 1, 0) == 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_holds_nobody) {
    Following following;
    following.await_epoch();
    Inquirer inquirer(following.log);
    BOOST_TEST(inquirer.confirmed_epoch() == following.log.epoch());
    auto const epoch = following.log.epoch();
    server_is_to("pause");
    Clock::duration longest{};
    auto const timed = [&](auto action) {
        auto const before = Clock::now();
        action();
        longest = std::max(longest, Clock::now() - before);
    };
    bool ended = false;
    for (auto const end = Clock::now() + 30s; !ended && Clock::now() < end;) {
        timed([&] { inquirer.inquiry.ask(); });
        pollfd polled{inquirer.inquiry.descriptor(), POLLIN, 0};
        ::poll(&polled, 1, 20);
        timed([&] { ended = inquirer.inquiry.look().epoch == 0; });
    }
    server_is_to("continue");
    BOOST_TEST(ended);             // there was no heartbeat
    BOOST_TEST((longest < 400ms)); // who waited for the server would wait until it has ended
    following.await_epoch(epoch);
    BOOST_TEST(inquirer.confirmed_epoch() == following.log.epoch());
}

// Byte by byte, held back, cut: nobody who asks waits in a call, and the log ends in moments.
BOOST_AUTO_TEST_CASE(a_network_that_does_its_worst_holds_nobody) {
    auto url = follower();
    auto const socket = url.socket;
    url.socket = socket.substr(0, socket.rfind('/')) + "/chaos.sock";
    faults::ChaosProxy proxy(url.socket, socket);
    std::optional<Following> following(std::in_place, db::ChangeLog::Settings{.url = url});
    following->await_epoch();
    std::optional<Inquirer> inquirer(std::in_place, following->log);
    Clock::duration longest{};
    auto const ask_for = [&](std::chrono::milliseconds time) {
        for (auto const end = Clock::now() + time; Clock::now() < end;) {
            auto const before = Clock::now();
            inquirer->inquiry.ask();
            inquirer->inquiry.look();
            longest = std::max(longest, Clock::now() - before);
            pollfd polled{inquirer->inquiry.descriptor(), POLLIN, 0};
            ::poll(&polled, 1, 5);
        }
    };
    for (faults::Fault const& fault :
         {faults::Fault{.delay = 3ms, .piece = 1}, faults::Fault{.hold_replies = true},
          faults::Fault{.hold_statements = true}, faults::Fault{.cut_after = 100}}) {
        proxy.set(fault);
        ask_for(300ms); // as long would whoever waits for it
        proxy.heal();
        server::wait_until([&] { return inquirer->confirmed_epoch() != 0; });
    }
    auto const epoch = following->log.epoch();
    proxy.close_connections();
    following->await_epoch(epoch);
    BOOST_TEST((longest < 250ms));
    // It ends while the reply drips in, which takes longer than ten seconds.
    proxy.set({.delay = 200ms, .piece = 1});
    auto const before = Clock::now();
    inquirer->inquiry.ask();
    inquirer.reset();
    following.reset();
    BOOST_TEST((Clock::now() - before < 5s));
}

BOOST_AUTO_TEST_SUITE_END()
