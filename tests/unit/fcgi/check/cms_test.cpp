#include "fcgi/check/check.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cms)

BOOST_AUTO_TEST_CASE(names_of_one_machine_are_known) {
    BOOST_TEST((fcgi::is_same_machine("localhost", "127.0.0.1") == true));
    BOOST_TEST((fcgi::is_same_machine("127.0.0.1", "127.0.0.2") == true));
    BOOST_TEST((fcgi::is_same_machine("192.0.2.1", "192.0.2.1") == true));
    BOOST_TEST((fcgi::is_same_machine("192.0.2.1", "203.0.113.77") == false));
    BOOST_TEST((fcgi::is_same_machine("localhost", "203.0.113.77") == false));
    BOOST_TEST((!fcgi::is_same_machine("localhost", "no-such-host.invalid")));
}

BOOST_AUTO_TEST_SUITE_END()
