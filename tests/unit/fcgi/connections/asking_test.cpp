#include "fcgi/connections/asking.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>
#include <vector>

// Who waits for what, by a clock that the test sets and an inquiry that answers when it is told to.

namespace {

using namespace std::chrono_literals;
using fcgi::Asking;
using fcgi::Client;

struct Told : fcgi::Inquiry {
    int descriptor() const override { return -1; }
    std::uint64_t next() const override { return sent + 1; }
    void ask() override {
        if (epoch != 0 && sent == answer.number) ++sent;
    }
    Answer look() override { return {answer.number, epoch}; }

    void answer_all() { answer.number = sent; }

    std::uint64_t epoch = 0;
    std::uint64_t sent = 0;
    Answer answer;
};

struct Fixture {
    explicit Fixture(std::chrono::milliseconds bound = 0ms) : asking(&inquiry, bound) {}

    // The inquiry is in this epoch, and that is known.
    void begin(std::uint64_t epoch) {
        inquiry.epoch = epoch;
        inquiry.answer_all();
        asking.look();
    }
    Client& client() { return clients.emplace_back(-1, 0U); }
    bool add() { return asking.add(client(), now); }
    void answer() {
        inquiry.answer_all();
        asking.look();
    }
    // The epochs of those whose wait is over.
    std::vector<std::uint64_t> over() {
        std::vector<std::uint64_t> epochs;
        while (Client const* one = asking.next(now))
            epochs.push_back(one->request.epoch);
        return epochs;
    }

    Told inquiry;
    Asking asking;
    std::deque<Client> clients;
    Client::Time now{1'000s};
};

using Epochs = std::vector<std::uint64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(asking)

BOOST_AUTO_TEST_CASE(without_anybody_to_ask_nobody_waits) {
    Fixture fixture;
    BOOST_TEST(!fixture.add());
    Asking none(nullptr, 0ms);
    BOOST_TEST(none.descriptor() == -1);
    BOOST_TEST(!none.add(fixture.client(), fixture.now));
    BOOST_TEST(none.epoch_at_once(fixture.now) == 0U);
}

BOOST_AUTO_TEST_CASE(one_question_is_for_all_who_came_before_it_was_sent) {
    Fixture fixture;
    fixture.begin(7);
    BOOST_TEST(fixture.add());
    BOOST_TEST(fixture.add());
    fixture.asking.ask(fixture.now);
    BOOST_TEST(fixture.inquiry.sent == 1U);
    BOOST_TEST(fixture.add()); // too late for that one
    fixture.asking.ask(fixture.now);
    BOOST_TEST(fixture.inquiry.sent == 1U);
    BOOST_TEST(fixture.over() == Epochs(), boost::test_tools::per_element());
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7, 7}), boost::test_tools::per_element());
    fixture.asking.ask(fixture.now);
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7}), boost::test_tools::per_element());
    BOOST_TEST(fixture.inquiry.sent == 2U);
}

BOOST_AUTO_TEST_CASE(nobody_is_asked_for_nobody) {
    Fixture fixture;
    fixture.begin(7);
    fixture.asking.ask(fixture.now);
    BOOST_TEST(fixture.inquiry.sent == 0U);
}

BOOST_AUTO_TEST_CASE(when_the_log_ends_all_who_wait_go_without) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.asking.ask(fixture.now);
    fixture.add();
    fixture.inquiry.epoch = 0;
    fixture.asking.look();
    BOOST_TEST(fixture.over() == Epochs({0, 0}), boost::test_tools::per_element());
    BOOST_TEST(!fixture.add());
    fixture.begin(8);
    BOOST_TEST(fixture.add());
}

// The question of one epoch is not answered in the next.
BOOST_AUTO_TEST_CASE(who_waits_from_one_epoch_to_the_next_is_asked_for_again) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.asking.ask(fixture.now);
    fixture.inquiry.epoch = 8;
    fixture.inquiry.answer.number = 0;
    fixture.inquiry.sent = 1;
    fixture.asking.look();
    BOOST_TEST(fixture.over() == Epochs(), boost::test_tools::per_element());
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({8}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_waited_in_vain_is_the_last_to_wait_until_there_is_an_answer) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.asking.ask(fixture.now);
    fixture.now += 20ms;
    fixture.add();
    fixture.now += Asking::patience - 21ms;
    BOOST_TEST(fixture.over() == Epochs(), boost::test_tools::per_element());
    BOOST_TEST((fixture.asking.next_look() == fixture.now + 1ms));
    fixture.now += 1ms;
    BOOST_TEST(fixture.over() == Epochs({0, 0}), boost::test_tools::per_element());
    BOOST_TEST((fixture.asking.next_look() == Client::Time::max()));
    BOOST_TEST(!fixture.add());
    fixture.answer();
    BOOST_TEST(fixture.add());
}

BOOST_AUTO_TEST_CASE(what_was_confirmed_is_good_for_the_bound_from_when_it_was_asked) {
    Fixture fixture(100ms);
    fixture.begin(7);
    BOOST_TEST(fixture.asking.epoch_at_once(fixture.now) == 0U);
    fixture.add();
    fixture.asking.ask(fixture.now);
    auto const asked = fixture.now;
    fixture.now += 30ms;
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7}), boost::test_tools::per_element());
    struct {
        std::chrono::milliseconds since;
        std::uint64_t epoch;
        bool is_asked_anew;
    } const table[] = {{30ms, 7, false}, {49ms, 7, false}, {99ms, 7, true}, {100ms, 0, false}};
    for (auto const& [since, epoch, is_asked_anew] : table) {
        auto const sent = fixture.inquiry.sent;
        BOOST_TEST(fixture.asking.epoch_at_once(asked + since) == epoch);
        fixture.asking.ask(asked + since);
        BOOST_TEST((fixture.inquiry.sent > sent) == is_asked_anew);
    }
    fixture.answer();
    fixture.begin(8); // nothing was asked in it
    BOOST_TEST(fixture.asking.epoch_at_once(asked + 100ms) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
