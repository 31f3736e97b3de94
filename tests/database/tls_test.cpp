#include "db/binlog/opening.hpp"
#include "tests/binlog/shop.hpp"

BOOST_AUTO_TEST_SUITE(tls)

BOOST_AUTO_TEST_CASE(the_right_authority_gives_an_encrypted_connection) {
    auto url = server::reader();
    url.ssl_ca = server::setting("POPULATE_TEST_TLS_CA");
    auto const connection = server::open(url);
    BOOST_TEST(server::ask(*connection, db::SqlPiece("SELECT VARIABLE_VALUE FROM"
                                                     " information_schema.SESSION_STATUS"
                                                     " WHERE VARIABLE_NAME = 'SSL_CIPHER'")) != "");
}

BOOST_AUTO_TEST_CASE(another_authority_or_none_is_refused) {
    for (auto const& authority :
         {server::setting("POPULATE_TEST_CA"), std::string("/nowhere.pem")}) {
        auto url = server::reader();
        url.ssl_ca = authority;
        auto const connection = db::Connection::open(url, {});
        BOOST_TEST_REQUIRE(connection.has_error());
        BOOST_TEST((connection.error().kind == parser::ErrorKind::unreachable));
    }
}

BOOST_AUTO_TEST_CASE(the_log_is_followed_and_asked_after_by_the_same_tls) {
    auto url = server::owner();
    url.ssl_ca = server::setting("POPULATE_TEST_TLS_CA");
    shop::Following following({.url = url});
    following.await_epoch();
    shop::Inquirer inquirer(following.log);
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("CREATE OR REPLACE TABLE goods (id INT)"));
    shop::Tables const goods{following.log.table("goods")};
    for (int i = 0; i < 100; ++i) {
        db::Tag tag;
        server::wait_until([&] {
            auto const epoch = inquirer.confirmed_epoch();
            tag = following.log.tag_for(*owner, goods);
            return tag.epoch == epoch && following.log.holds(tag, goods);
        });
        server::command(*owner, db::SqlPiece("INSERT INTO goods VALUES (1)"));
        BOOST_TEST(inquirer.confirmed_epoch() == tag.epoch);
        BOOST_TEST(!following.log.holds(tag, goods));
    }
    BOOST_TEST(following.log.epoch() == 1U);
    server::command(*owner, db::SqlPiece("DROP TABLE goods"));
}

BOOST_AUTO_TEST_CASE(the_log_is_not_followed_by_another_authority) {
    auto url = server::owner();
    url.ssl_ca = server::setting("POPULATE_TEST_CA");
    auto const survey = db::survey_log(url);
    BOOST_TEST_REQUIRE(survey.obstacles.size() == 1U);
    BOOST_TEST(survey.obstacles[0].detail.find("2026") != std::string::npos,
               survey.obstacles[0].text());
    BOOST_TEST(survey.obstacles[0].fix.find("ssl-ca") != std::string::npos,
               survey.obstacles[0].fix);
}

BOOST_AUTO_TEST_SUITE_END()
