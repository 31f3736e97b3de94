#include "db/form_choice.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kind_of_statement = 0x0123'4567'89AB'CDEF;

} // namespace

BOOST_AUTO_TEST_SUITE(form_choice)

BOOST_AUTO_TEST_CASE(the_other_form_is_tried_where_the_usual_one_is_slow) {
    db::FormChoice choice;
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 9ms);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
    BOOST_TEST(!choice.prefers_other(kind_of_statement + 1));
}

BOOST_AUTO_TEST_CASE(the_quicker_form_stays) {
    db::FormChoice choice;
    choice.note_usual(kind_of_statement, 40ms);
    choice.note_other(kind_of_statement, 2ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
    db::FormChoice slower;
    slower.note_usual(kind_of_statement, 40ms);
    slower.note_other(kind_of_statement, 60ms);
    BOOST_TEST(!slower.prefers_other(kind_of_statement));
}

BOOST_AUTO_TEST_CASE(what_was_given_up_is_not_tried_again_for_hundreds_of_times_and_then_is) {
    db::FormChoice choice;
    choice.note_usual(kind_of_statement, 40ms);
    choice.note_other(kind_of_statement, db::FormChoice::endless);
    int times = 0;
    for (; !choice.prefers_other(kind_of_statement) && times < 10'000; ++times)
        choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(times > 500);
    BOOST_TEST(times < 5'000);
}

BOOST_AUTO_TEST_CASE(times_are_compared_for_each_parent) {
    db::FormChoice choice;
    choice.note_usual(kind_of_statement, 100ms, 20); // 5 ms each
    BOOST_TEST(!choice.prefers_other(kind_of_statement, 1));
    BOOST_TEST(choice.prefers_other(kind_of_statement, 2));
    choice.note_other(kind_of_statement, 200ms, 100);
    BOOST_TEST(choice.prefers_other(kind_of_statement, 2));
}

BOOST_AUTO_TEST_CASE(a_form_that_was_forced_teaches_nothing) {
    db::FormChoice choice;
    choice.note_other(kind_of_statement, 1ms);
    choice.note_other(kind_of_statement, db::FormChoice::endless);
    BOOST_TEST(!choice.prefers_other(kind_of_statement));
    choice.note_usual(kind_of_statement, 40ms);
    BOOST_TEST(choice.prefers_other(kind_of_statement));
}

BOOST_AUTO_TEST_SUITE_END()
