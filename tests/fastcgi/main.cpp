#define BOOST_TEST_MODULE fastcgi
#include <boost/test/unit_test.hpp>
