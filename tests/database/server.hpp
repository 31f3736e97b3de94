#pragma once

#include "db/mysql/connection.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

// The server that tests/database/with-database started, and what the tests do with it.

namespace server {

inline std::string setting(char const* name) {
    char const* value = std::getenv(name);
    BOOST_REQUIRE_MESSAGE(value, name << " is not set: run this by tests/database/with-database");
    return value;
}

// An account that may only read.
inline db::DatabaseUrl reader() {
    return db::parse_database_url(setting("POPULATE_TEST_DATABASE")).value().first();
}

inline db::DatabaseUrl owner() {
    return db::parse_database_url(setting("POPULATE_TEST_OWNER")).value().first();
}

inline std::unique_ptr<db::Connection> open(db::DatabaseUrl const& url,
                                            db::SessionOptions const& options = {}) {
    auto connection = db::Connection::open(url, options);
    BOOST_TEST_REQUIRE(connection.has_value(), connection.error().cause);
    return std::move(*connection);
}

// The owner's connection, which may write.
inline std::unique_ptr<db::Connection> open_owner() {
    db::SessionOptions options;
    options.read_only = false;
    return open(owner(), options);
}

// The first cell of the first row; NULL is `NULL`.
inline std::string ask(db::Connection& connection, db::SqlText const& sql) {
    auto rows = connection.query(sql);
    BOOST_TEST_REQUIRE(rows.has_value(), rows.error().cause);
    BOOST_TEST_REQUIRE(rows->next());
    auto const text = rows->text(0);
    return text.data() ? std::string(text) : "NULL";
}

inline void command(db::Connection& connection, db::SqlText const& sql) {
    auto const done = connection.command(sql);
    BOOST_TEST_REQUIRE(done.has_value(), done.error().cause);
}

inline std::string connection_id(db::Connection& connection) {
    return ask(connection, db::SqlPiece("SELECT CONNECTION_ID()"));
}

// Polls until the condition holds; fails the test after half a minute, which is more than a busy
// machine needs for anything.
template<class Condition>
void wait_until(Condition condition) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition()) {
        BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end), "waited too long");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace server
