#include "parser/base/closest_name.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

BOOST_AUTO_TEST_SUITE(closest_name)

BOOST_AUTO_TEST_CASE(a_third_of_the_letters_may_be_others) {
    std::vector<std::string> const names{"max-limit", "default-limit", "listen", "strict",
                                         "schema"};
    std::pair<char const*, char const*> const cases[] = {
        {"max-limt", "max-limit"},
        {"max_limit", "max-limit"},
        {"amx-limit", "max-limit"},
        {"maxLimits", "max-limit"},
        {"shcema", "schema"},
        {"listn", "listen"},
        {"strict", "strict"},
        {"defaultlimit", "default-limit"},
        {"limit", ""},
        {"colour", ""},
        {"", ""},
        {"x", ""},
        {"lxxten", "listen"},
        {"lxxxen", ""},
    };
    for (auto const& [written, meant] : cases)
        BOOST_TEST(fcgi::closest_name(written, names) == meant, written);
}

BOOST_AUTO_TEST_CASE(of_two_the_nearer_one_is_meant) {
    BOOST_TEST(fcgi::closest_name("reader", {"read", "reades", "header"}) == "reades");
    BOOST_TEST(fcgi::did_you_mean("reador", {"reader"}) == "; did you mean `reader`?");
    BOOST_TEST(fcgi::did_you_mean("reador", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
