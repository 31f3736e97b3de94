#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"
#include "tests/allocation/failing_new.hpp"

#include <boost/test/unit_test.hpp>

#include <new>
#include <thread>

BOOST_AUTO_TEST_SUITE(schema)

// The iterators of std::filesystem would not survive it.
BOOST_AUTO_TEST_CASE(R1_looking_for_changed_files_outlives_an_allocation_that_fails) {
    auto const look = [] { return db::stamp_of({PROJECTS "/ks"}); };
    auto const right = look();
    long survived = 0;
    std::thread([&] {
        failing_new::take_part();
        for (bool failed = true; failed; ++survived) {
            failing_new::fail_at(survived + 1);
            try {
                look();
            } catch (std::bad_alloc const&) {
                // that is for the worker to answer
            }
            failed = failing_new::stop();
        }
    }).join();
    BOOST_TEST(survived > 5);
    BOOST_TEST((look() == right));
}

BOOST_AUTO_TEST_SUITE_END()
