#include "fcgi/server/asking.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>
#include <vector>

// The test sets the clock, and the inquiry answers when it is told to; so it is known which clients
// wait for which answer.

BOOST_AUTO_TEST_SUITE(asking)

namespace {

using namespace std::chrono_literals;
using fcgi::Asking;
using fcgi::Client;

// As db::Inquiry.
struct Told {
    std::uint64_t next() const { return sent + 1; }
    void ask() {
        if (epoch != 0 && sent == answered) ++sent;
    }
    db::Inquiry::InquiryResult look() const { return {answered, epoch}; }

    void answer_all() { answered = sent; }

    std::uint64_t epoch = 0;
    std::uint64_t sent = 0;
    std::uint64_t answered = 0;
};

struct Fixture {
    explicit Fixture(std::chrono::milliseconds bound = 0ms) : asking(bound) {}

    // The inquiry is in this epoch, and that is known.
    void begin(std::uint64_t epoch) {
        inquiry.epoch = epoch;
        answer();
    }
    Client& client() { return clients.emplace_back(-1, 0U); }
    bool add() {
        if (!asking.may_wait()) return false;
        asking.add(client(), inquiry.next(), now);
        return true;
    }
    // As the dispatcher does once in a round.
    void ask(Client::Time at) {
        if (!asking.is_to_ask()) return;
        auto const question = inquiry.next();
        inquiry.ask();
        if (inquiry.next() != question) asking.asked(question, at);
    }
    void ask() { ask(now); }
    void look() { asking.heard(inquiry.look()); }
    void answer() {
        inquiry.answer_all();
        look();
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

BOOST_AUTO_TEST_CASE(without_anybody_to_ask_nobody_waits) {
    Fixture fixture;
    BOOST_TEST(!fixture.add());
    BOOST_TEST(!fixture.asking.is_to_ask());
    BOOST_TEST(fixture.asking.epoch_at_once(fixture.now) == 0U);
}

BOOST_AUTO_TEST_CASE(one_question_is_for_all_who_came_before_it_was_sent) {
    Fixture fixture;
    fixture.begin(7);
    BOOST_TEST(fixture.add());
    BOOST_TEST(fixture.add());
    fixture.ask();
    BOOST_TEST(fixture.inquiry.sent == 1U);
    BOOST_TEST(fixture.add()); // too late for that one
    fixture.ask();
    BOOST_TEST(fixture.inquiry.sent == 1U);
    BOOST_TEST(fixture.over() == Epochs(), boost::test_tools::per_element());
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7, 7}), boost::test_tools::per_element());
    fixture.ask();
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7}), boost::test_tools::per_element());
    BOOST_TEST(fixture.inquiry.sent == 2U);
}

BOOST_AUTO_TEST_CASE(nobody_is_asked_for_nobody) {
    Fixture fixture;
    fixture.begin(7);
    fixture.ask();
    BOOST_TEST(fixture.inquiry.sent == 0U);
}

BOOST_AUTO_TEST_CASE(when_the_log_ends_all_who_wait_go_without) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.ask();
    fixture.add();
    fixture.inquiry.epoch = 0;
    fixture.look();
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
    fixture.ask();
    fixture.inquiry.epoch = 8;
    fixture.inquiry.answered = 0;
    fixture.inquiry.sent = 1;
    fixture.look();
    BOOST_TEST(fixture.over() == Epochs(), boost::test_tools::per_element());
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({8}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_waited_in_vain_is_the_last_to_wait_until_there_is_an_answer) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.ask();
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

// The dispatcher was held up: by the time that it sees the answer to the first question, the second
// client has waited too long, and nobody is left to ask for.
BOOST_AUTO_TEST_CASE(who_waited_in_vain_for_a_question_that_was_not_sent_is_not_the_last_for_ever) {
    Fixture fixture;
    fixture.begin(7);
    fixture.add();
    fixture.ask();
    fixture.add();
    fixture.now += Asking::patience;
    fixture.answer();
    BOOST_TEST(fixture.over() == Epochs({7, 0}), boost::test_tools::per_element());
    BOOST_TEST(!fixture.add());
    fixture.ask();
    fixture.answer();
    BOOST_TEST(fixture.add());
}

BOOST_AUTO_TEST_CASE(what_was_confirmed_is_good_for_the_bound_from_when_it_was_asked) {
    Fixture fixture(100ms);
    fixture.begin(7);
    BOOST_TEST(fixture.asking.epoch_at_once(fixture.now) == 0U);
    fixture.add();
    fixture.ask();
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
        fixture.ask(asked + since);
        BOOST_TEST((fixture.inquiry.sent > sent) == is_asked_anew);
    }
    fixture.answer();
    fixture.begin(8); // nothing was asked in it
    BOOST_TEST(fixture.asking.epoch_at_once(asked + 100ms) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
