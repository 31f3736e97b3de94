#pragma once

#include "db/mysql/connection.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

// The server that `tests/with database` started, and what the tests do with it.

namespace server {

inline std::string setting(char const* name) {
    char const* value = std::getenv(name);
    BOOST_REQUIRE_MESSAGE(value, name << " is not set: run this by `tests/with database`");
    return value;
}

// A number from the environment, for runs by hand and those labelled `long`.
inline unsigned long number(char const* name, unsigned long usual) {
    char const* const value = std::getenv(name);
    return value ? std::stoul(value) : usual;
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
    options.statement_timeout = std::chrono::minutes(1); // on a machine that is busy otherwise
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

// The binary log begins anew, without anything in it.
inline void reset_log(db::Connection& owner) {
    command(owner, owner.is_mariadb() ? db::SqlPiece("RESET MASTER")
                                      : db::SqlPiece("RESET BINARY LOGS AND GTIDS"));
}

// `log.000001 1234`
inline std::string log_end(db::Connection& owner) {
    std::string end;
    auto files = owner.query(db::SqlPiece("SHOW BINARY LOGS"));
    BOOST_TEST_REQUIRE(files.has_value(), files.error().cause);
    while (files->next())
        end = std::string(files->text(0)).append(" ").append(files->text(1));
    return end;
}

// The binary log, which had nothing but such a write, begins anew and ends where it did.
inline void replace_log(db::Connection& owner, db::SqlText const& write) {
    auto const end = log_end(owner);
    reset_log(owner);
    command(owner, write);
    BOOST_TEST_REQUIRE(log_end(owner) == end);
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
