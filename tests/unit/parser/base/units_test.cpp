#include "parser/base/units.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(units)

BOOST_AUTO_TEST_CASE(a_time_has_a_unit_or_is_of_seconds) {
    std::pair<char const*, int> const cases[] = {
        {"250ms", 250}, {"5s", 5'000},   {"2m", 120'000}, {"1h", 3'600'000}, {"5", 5'000},
        {"0.25", 250},  {"1.5s", 1'500}, {"0", 0},        {"0ms", 0},        {"24h", 86'400'000},
    };
    for (auto const& [text, expected] : cases) {
        auto const read = parser::read_time(text);
        BOOST_TEST_REQUIRE(read.has_value(), text);
        BOOST_TEST(read->count() == expected, text);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_time_is_refused) {
    for (auto const* text : {"", "s", "5 s", "5S", "5M", "5d", "5x", "5sec", "-1", "-1s", "25h",
                             "86401", "1e9", "nan", "inf", "0.0001s", "5K"})
        BOOST_TEST(!parser::read_time(text), text);
}

BOOST_AUTO_TEST_CASE(a_size_has_a_unit_or_is_of_bytes) {
    std::pair<char const*, std::size_t> const cases[] = {
        {"16384", 16'384},     {"16K", 16'384},       {"16k", 16'384},         {"64M", 67'108'864},
        {"64MiB", 67'108'864}, {"1G", 1'073'741'824}, {"1GiB", 1'073'741'824}, {"0", 0},
    };
    for (auto const& [text, expected] : cases) {
        auto const read = parser::read_size(text);
        BOOST_TEST_REQUIRE(read.has_value(), text);
        BOOST_TEST(*read == expected, text);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_size_is_refused) {
    for (auto const* text : {"", "K", "64 M", "64s", "64T", "64MB", "1.5M", "-1", "-1K", "iB",
                             "64iB", "99999999999999999999", "99999999999G"})
        BOOST_TEST(!parser::read_size(text), text);
}

BOOST_AUTO_TEST_CASE(both_are_written_as_they_are_read) {
    for (auto const* text : {"250ms", "5s", "2m", "1h", "1500ms", "0"})
        BOOST_TEST(parser::write_time(*parser::read_time(text)) == text);
    for (auto const* text : {"16K", "64M", "1G", "1000", "0"})
        BOOST_TEST(parser::write_size(*parser::read_size(text)) == text);
}

BOOST_AUTO_TEST_SUITE_END()
