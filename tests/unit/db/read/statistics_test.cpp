#include "db/read/statistics.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kind_of_statement = 0x0123'4567'89AB'CDEF;

struct Choosing {
    db::FormChoice choice;
};

} // namespace

BOOST_AUTO_TEST_SUITE(form_choice)

BOOST_FIXTURE_TEST_CASE(the_other_form_is_tried_where_the_usual_one_is_slow, Choosing) {
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 9ms);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
    BOOST_TEST(!choice.prefers_other(kind_of_statement + 1));
}

BOOST_FIXTURE_TEST_CASE(the_quicker_form_stays, Choosing) {
    choice.note_usual(kind_of_statement, 40ms);
    choice.note_other(kind_of_statement, 2ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
    db::FormChoice slower;
    slower.note_usual(kind_of_statement, 40ms);
    slower.note_other(kind_of_statement, 60ms);
    BOOST_TEST(!slower.prefers_other(kind_of_statement));
}

BOOST_FIXTURE_TEST_CASE(the_usual_form_is_measured_again_since_its_first_time_may_have_been_cold,
                        Choosing) {
    choice.note_usual(kind_of_statement, 400ms);
    choice.note_other(kind_of_statement, 300ms);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 180ms);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    db::FormChoice warm;
    warm.note_usual(kind_of_statement, 400ms);
    warm.note_other(kind_of_statement, 300ms);
    warm.note_usual(kind_of_statement, 390ms);
    BOOST_TEST(warm.prefers_other(kind_of_statement));
    db::FormChoice endless;
    endless.note_usual(kind_of_statement, db::FormChoice::endless);
    endless.note_other(kind_of_statement, 300ms);
    BOOST_TEST(endless.prefers_other(kind_of_statement));
}

BOOST_FIXTURE_TEST_CASE(what_was_given_up_is_not_tried_again_for_hundreds_of_times_and_then_is,
                        Choosing) {
    choice.note_usual(kind_of_statement, 40ms);
    choice.note_other(kind_of_statement, db::FormChoice::endless);
    int times = 0;
    for (; !choice.prefers_other(kind_of_statement) && times < 10'000; ++times)
        choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(times > 500);
    BOOST_TEST(times < 5'000);
}

BOOST_FIXTURE_TEST_CASE(what_was_a_little_slower_for_each_of_many_parents_is_tried_again,
                        Choosing) {
    choice.note_usual(kind_of_statement, 15ms, 100);
    choice.note_other(kind_of_statement, 20ms, 100);
    for (int i = 0; i < 100; ++i)
        choice.note_usual(kind_of_statement, 15ms, 100);
    BOOST_TEST(choice.prefers_other(kind_of_statement, 100));
}

BOOST_AUTO_TEST_CASE(a_usual_form_that_was_slower_is_tried_again_unless_the_other_is_quick) {
    db::FormChoice choice, quick;
    choice.note_usual(kind_of_statement, 40ms);
    quick.note_usual(kind_of_statement, 40ms);
    choice.note_other(kind_of_statement, 20ms);
    choice.note_usual(kind_of_statement, 40ms);
    int times = 0;
    for (; choice.prefers_other(kind_of_statement) && times < 10'000; ++times) {
        choice.note_other(kind_of_statement, 20ms);
        quick.note_other(kind_of_statement, 2ms);
    }
    BOOST_TEST(times > 500);
    BOOST_TEST(times < 5'000);
    BOOST_TEST(quick.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 40ms); // it still is
    BOOST_TEST(choice.prefers_other(kind_of_statement));
}

BOOST_FIXTURE_TEST_CASE(the_other_form_may_take_twice_as_long_as_the_usual_one, Choosing) {
    BOOST_TEST((choice.patience(kind_of_statement) == 20ms));
    choice.note_usual(kind_of_statement, 400ms, 10);
    BOOST_TEST((choice.patience(kind_of_statement, 5) == 400ms));
    BOOST_TEST(choice.usual_finishes(kind_of_statement));
    choice.note_usual(kind_of_statement, db::FormChoice::endless);
    BOOST_TEST(!choice.usual_finishes(kind_of_statement));
    choice.note_other(kind_of_statement, db::FormChoice::endless);
    choice.note_usual(kind_of_statement, db::FormChoice::endless);
    BOOST_TEST(!choice.prefers_other(kind_of_statement)); // where neither comes to an end
}

BOOST_FIXTURE_TEST_CASE(times_are_compared_for_each_parent, Choosing) {
    choice.note_usual(kind_of_statement, 100ms, 20); // 5 ms each
    BOOST_TEST(!choice.prefers_other(kind_of_statement, 1));
    BOOST_TEST(choice.prefers_other(kind_of_statement, 2));
    choice.note_other(kind_of_statement, 200ms, 100);
    choice.note_usual(kind_of_statement, 15ms, 3);
    BOOST_TEST(choice.prefers_other(kind_of_statement, 5));
}

BOOST_FIXTURE_TEST_CASE(a_form_that_was_forced_teaches_nothing, Choosing) {
    choice.note_other(kind_of_statement, 1ms);
    choice.note_other(kind_of_statement, db::FormChoice::endless);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
}

BOOST_AUTO_TEST_SUITE_END()

using db::Expectation;

BOOST_AUTO_TEST_SUITE(expectation)

namespace {

constexpr std::uint64_t kind = 7, another_kind = 8;

} // namespace

BOOST_AUTO_TEST_CASE(what_was_so_several_times_is_likely) {
    auto const expected = std::make_unique<Expectation>();
    int times = 0;
    while (!expected->is_likely(kind) && times < 100) {
        expected->note(kind, true);
        ++times;
    }
    BOOST_TEST(times > 1);
    BOOST_TEST(times < 100);
    BOOST_TEST(!expected->is_likely(another_kind));
}

BOOST_AUTO_TEST_CASE(once_it_was_not_so_it_is_not_likely) {
    auto const expected = std::make_unique<Expectation>();
    for (int i = 0; i < 100; ++i)
        expected->note(kind, true);
    BOOST_TEST(expected->is_likely(kind));
    expected->note(kind, false);
    BOOST_TEST(!expected->is_likely(kind));
}

BOOST_AUTO_TEST_SUITE_END()
