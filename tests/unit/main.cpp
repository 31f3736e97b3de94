#define BOOST_TEST_MODULE populate
#include <boost/test/unit_test.hpp>
