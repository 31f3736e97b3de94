#include "fcgi/process/listener.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::AllowedHosts;

BOOST_AUTO_TEST_SUITE(allowed_hosts)

namespace {

bool allows(std::string const& list, std::string const& address) {
    auto const hosts = AllowedHosts::read(list);
    BOOST_TEST_REQUIRE(hosts.has_value(), list);
    return hosts->has(boost::asio::ip::make_address(address));
}

} // namespace

BOOST_AUTO_TEST_CASE(without_a_list_everyone_may_connect) {
    for (auto const* address : {"127.0.0.1", "203.0.113.9", "2001:db8::1"})
        BOOST_TEST(AllowedHosts().has(boost::asio::ip::make_address(address)), address);
}

BOOST_AUTO_TEST_CASE(who_is_named_may_connect_and_nobody_else) {
    struct Case {
        char const* list;
        char const* address;
        bool expected;
    };
    Case const cases[] = {
        {"10.0.0.5", "10.0.0.5", true},
        {"10.0.0.5", "10.0.0.6", false},
        {"10.0.0.5, 10.0.0.6", "10.0.0.6", true},
        {"10.1.0.0/16", "10.1.255.255", true},
        {"10.1.0.0/16", "10.2.0.0", false},
        {"10.1.2.3/16", "10.1.9.9", true}, // the network of a host
        {"0.0.0.0/0", "203.0.113.9", true},
        {"0.0.0.0/0", "2001:db8::1", false},
        {"fd00::/8", "fd12:3456::1", true},
        {"fd00::/8", "fe80::1", false},
        {"2001:db8::1", "2001:db8::1", true},
        {"2001:db8::1", "10.0.0.5", false},
        {"10.0.0.5", "::ffff:10.0.0.5", true}, // by a socket of IPv6
        {"10.0.0.5", "::ffff:10.0.0.6", false},
    };
    for (auto const& [list, address, expected] : cases)
        BOOST_TEST(allows(list, address) == expected, list << " and " << address);
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_named) {
    for (auto const* wrong : {"", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.5/", "fd00::/129"})
        for (auto const& list : {std::string(wrong), "10.0.0.5," + std::string(wrong)}) {
            auto const hosts = AllowedHosts::read(list);
            BOOST_TEST_REQUIRE(hosts.has_error(), list);
            BOOST_TEST(hosts.error().message ==
                       "expected addresses or networks separated by commas, such as "
                       "10.0.0.5,10.1.0.0/16, received \"" +
                           std::string(wrong) + '"');
        }
}

BOOST_AUTO_TEST_SUITE_END()
