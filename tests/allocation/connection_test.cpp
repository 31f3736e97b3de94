#include "tests/allocation/failing_new.hpp"
#include "tests/database/server.hpp"

#include <boost/test/unit_test.hpp>

#include <new>
#include <thread>

BOOST_AUTO_TEST_SUITE(connection)

BOOST_AUTO_TEST_CASE(opening_a_connection_outlives_an_allocation_that_fails) {
    auto const url = server::reader();
    long survived = 0;
    std::thread([&] {
        BOOST_TEST(db::Connection::open(url, {}).has_value());
        failing_new::take_part();
        for (bool failed = true; failed; ++survived) {
            failing_new::fail_at(survived + 1);
            bool is_open = false;
            try {
                is_open = db::Connection::open(url, {}).has_value();
            } catch (std::bad_alloc const&) {
                // that is for the worker to answer
            }
            failed = failing_new::stop();
            BOOST_TEST((failed || is_open));
        }
    }).join();
    BOOST_TEST(survived > 20);
}

BOOST_AUTO_TEST_SUITE_END()
