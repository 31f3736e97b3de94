#include "db/mysql/database_url.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(database_url)

BOOST_AUTO_TEST_CASE(its_parts_are_read) {
    std::pair<char const*, db::DatabaseUrl> const cases[] = {
        {"mysql://anna:s3cret@db.example.org:3307/shop",
         {"db.example.org", 3307, "", "anna", "s3cret", "shop", ""}},
        {"mysql://anna@127.0.0.1/shop", {"127.0.0.1", 3306, "", "anna", "", "shop", ""}},
        {"mysql://anna:p%40ss%2Fw%25rd%3A@host/my%20shop",
         {"host", 3306, "", "anna", "p@ss/w%rd:", "my shop", ""}},
        {"mysql://anna:x@localhost/shop?socket=/run/mysqld/mysqld.sock",
         {"localhost", 3306, "/run/mysqld/mysqld.sock", "anna", "x", "shop", ""}},
        {"mysql://anna:x@/shop?socket=/s", {"localhost", 3306, "/s", "anna", "x", "shop", ""}},
        {"mysql://anna:x@host/shop?ssl-ca=/etc/ssl/ca.pem&socket=/s",
         {"host", 3306, "/s", "anna", "x", "shop", "/etc/ssl/ca.pem"}},
    };
    for (auto const& [text, expected] : cases)
        BOOST_TEST_CONTEXT(text) {
            auto const hosts = db::parse_database_url(text);
            BOOST_TEST_REQUIRE(hosts.has_value());
            BOOST_TEST(!hosts->are_several());
            auto const* const url = &hosts->first();
            BOOST_TEST(url->host == expected.host);
            BOOST_TEST(url->port == expected.port);
            BOOST_TEST(url->socket == expected.socket);
            BOOST_TEST(url->user == expected.user);
            BOOST_TEST(url->password == expected.password);
            BOOST_TEST(url->name == expected.name);
            BOOST_TEST(url->ssl_ca == expected.ssl_ca);
        }
}

BOOST_AUTO_TEST_CASE(several_hosts_share_the_rest) {
    using Balance = db::HostRules::Balance;
    std::tuple<char const*, std::vector<std::string>, db::HostRules> const cases[] = {
        {"mysql://anna:x@a,b/shop", {"a:3306", "b:3306"}, {}},
        {"mysql://anna:x@a:3307,b,10.0.0.7:3309/shop", {"a:3307", "b:3306", "10.0.0.7:3309"}, {}},
        {"mysql://anna:p%40,ss@[::1],[::2]:3307/shop", {"[::1]:3306", "[::2]:3307"}, {}},
        {"mysql://anna:x@a,b/shop?balance=random&max-lag=250ms&connect-timeout=2s",
         {"a:3306", "b:3306"},
         {Balance::random, std::chrono::milliseconds(250), std::chrono::seconds(2)}},
        {"mysql://anna:x@a,b/shop?balance=ordered", {"a:3306", "b:3306"}, {Balance::ordered}},
    };
    for (auto const& [text, addresses, rules] : cases)
        BOOST_TEST_CONTEXT(text) {
            auto const hosts = db::parse_database_url(text);
            BOOST_TEST_REQUIRE(hosts.has_value());
            std::vector<std::string> found;
            for (auto const& url : hosts->urls) {
                found.push_back(url.address());
                BOOST_TEST(url.user == "anna");
                BOOST_TEST(url.password == hosts->first().password);
                BOOST_TEST(url.name == "shop");
            }
            BOOST_TEST(found == addresses, boost::test_tools::per_element());
            BOOST_TEST((hosts->rules == rules));
        }
}

BOOST_AUTO_TEST_CASE(a_wrong_one_is_refused_without_repeating_the_password) {
    char const* const cases[] = {
        "",
        "shop",
        "postgres://anna:s3cret@host/shop",
        "mysql:shop?s3cret",
        "mysql://anna:s3cret@host",
        "mysql://anna:s3cret@host/",
        "mysql://anna:s3cret@host/shop/more",
        "mysql://anna:s3cret@host:port/shop",
        "mysql://anna:s3cret@host:0/shop",
        "mysql://anna:s3cret@host:99999/shop",
        "mysql://anna:s3cret%zz@host/shop",
        "mysql://anna:s3cret#1@host/shop",
        "mysql://anna:s3cret@host/shop?sslca=/ca.pem",
        "mysql://anna:s3cret@a,/shop",
        "mysql://anna:s3cret@,b/shop",
        "mysql://anna:s3cret@a,b:0/shop",
        "mysql://anna:s3cret@a,s3cret@b/shop/",
        "mysql://anna:s3cret@a,b/shop?socket=/s",
        "mysql://anna:s3cret@a,b/shop?balance=any",
        "mysql://anna:s3cret@a,b/shop?max-lag=soon",
        "mysql://anna:s3cret@a,b/shop?max-lag=0",
        "mysql://anna:s3cret@host/shop?get-server-public-key=yes",
    };
    for (auto const* text : cases)
        BOOST_TEST_CONTEXT(text) {
            auto const url = db::parse_database_url(text);
            BOOST_TEST_REQUIRE(!url.has_value());
            BOOST_TEST(url.error().message.starts_with("database: expected "));
            BOOST_TEST(url.error().message.find("s3cret") == std::string::npos);
            BOOST_TEST(url.error().cause.find("s3cret") == std::string::npos);
        }
}

BOOST_AUTO_TEST_SUITE_END()
