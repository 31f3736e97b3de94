#include "tests/database/server.hpp"

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
        BOOST_TEST((connection.error().kind == parser::ErrorKind::unavailable));
    }
}

BOOST_AUTO_TEST_SUITE_END()
