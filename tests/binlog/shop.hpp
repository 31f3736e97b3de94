#pragma once

#include "tests/database/server.hpp"

#include "db/binlog/change_log.hpp"
#include "db/binlog/inquiry.hpp"

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <poll.h>

// Tests of the log have this in common. They need `tests/with log`, in whose database this makes a
// shop.

namespace shop {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using db::SqlPiece;
using Tables = std::vector<db::ChangeLog::Table const*>;

inline bool is_mariadb() {
    return server::setting("POPULATE_TEST_KIND") == "mariadb";
}

// `start OPTION…`, `stop`, `kill`, `pause` or `continue`.
inline void server_is_to(std::string const& action) {
    auto const command = server::setting("POPULATE_TEST_SERVER") + " " + action;
    BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
}

inline db::DatabaseUrl follower() {
    return db::parse_database_url(server::setting("POPULATE_TEST_FOLLOWER")).value().first();
}

// Statements of the owner, each on its own.
class Writer {
  public:
    void operator()(std::initializer_list<SqlPiece> statements) {
        for (auto const& statement : statements)
            server::command(*connection_, statement);
    }
    std::string ask(SqlPiece sql) { return server::ask(*connection_, sql); }

    void reset_log() { server::reset_log(*connection_); }
    void replace_log(SqlPiece statement) { server::replace_log(*connection_, statement); }

  private:
    std::unique_ptr<db::Connection> connection_ = server::open_owner();
};

// Fresh tables `goods` and `orders`, with a row each.
inline void make_tables(Writer& write) {
    write({"DROP TABLE IF EXISTS goods, orders, ledger",
           "CREATE TABLE goods (id INT PRIMARY KEY, price INT)",
           "CREATE TABLE orders (id INT PRIMARY KEY, price INT)",
           "INSERT INTO goods VALUES (1, 10)", "INSERT INTO orders VALUES (1, 10)"});
}

// A log that is followed, with all that it told.
struct Following {
    explicit Following(db::ChangeLog::Settings settings = {.url = follower()})
        : log(std::move(settings), [this](db::ChangeLogEvent const& event) {
              std::lock_guard const lock(mutex);
              events.push_back(event);
          }) {
        log.report_to(usage);
        log.start();
    }

    void await_epoch(std::uint64_t after = 0) {
        server::wait_until([&] { return log.epoch() > after; });
    }

    template<class Event>
    std::vector<Event> told() {
        std::lock_guard const lock(mutex);
        std::vector<Event> found;
        for (auto const& event : events)
            if (auto const* one = std::get_if<Event>(&event)) found.push_back(*one);
        return found;
    }

    std::mutex mutex;
    std::vector<db::ChangeLogEvent> events;
    db::ChangeLogUsage usage;
    db::ChangeLog log;
};

// As a dispatcher that waits for the descriptor.
struct Inquirer {
    explicit Inquirer(db::ChangeLog& log) : inquiry(log) {}

    // Returns the epoch that a request that arrives now may use: its log was asked after, and
    // reached. 0: none in time.
    std::uint64_t confirmed_epoch(std::chrono::milliseconds patience = 30s) {
        auto const end = Clock::now() + patience;
        auto const number = inquiry.next();
        inquiry.ask();
        for (;;) {
            auto const left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
            if (left.count() <= 0) return 0;
            pollfd polled{inquiry.descriptor(), POLLIN, 0};
            ::poll(&polled, 1, static_cast<int>(left.count()));
            auto const reply = inquiry.look();
            if (reply.epoch == 0) return 0;
            if (reply.number >= number) return reply.epoch;
            inquiry.ask();
        }
    }

    db::Inquiry inquiry;
};

} // namespace shop
