#include "fcgi/server/parameters.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(a_value_is_found_by_its_name) {
    struct {
        char const* what;
        std::string contents;
        bool whole;
        std::string_view a; // the value of A
    } const table[] = {
        {"nothing", "", true, ""},
        {"a pair", "\1\2Axy"s, true, "xy"},
        {"behind another", "\1\1Bz\1\2Axy"s, true, "xy"},
        {"of two the first", "\1\1A1\1\1A2"s, true, "1"},
        {"an empty value", "\1\0A"s, true, ""},
        {"a long length", "\1\x80\0\0\2Axy"s, true, "xy"},
        {"a value with =", "\1\3Ax=y"s, true, "x=y"},
        {"a name that begins so", "\2\1ABx"s, true, ""},
        {"cut short", "\1\1A1\1\2Bx"s, false, "1"},
        {"a length cut short", "\1\1A1\x80"s, false, "1"},
        {"a name with =", "\3\1A=xy"s, false, ""},
        {"a NUL in a value", "\1\3Ax\0y"s, false, ""},
    };
    for (auto const& row : table) {
        BOOST_TEST_CONTEXT(row.what) {
            fcgi::Parameters const parameters(std::pmr::string{row.contents});
            BOOST_TEST(parameters.are_whole() == row.whole);
            BOOST_TEST(parameters.value("A") == row.a);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
