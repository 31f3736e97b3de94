#include "shop.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <thread>

// Writers and readers at once: each read is compared with what was acknowledged, and with what
// another reader had seen, before it began.

using namespace shop;

BOOST_AUTO_TEST_SUITE(race)

namespace {

constexpr int table_count = 3;

db::SqlText with_name(SqlPiece before, int table, SqlPiece after) {
    db::SqlText sql(before);
    sql.name("race" + std::to_string(table));
    return sql << after;
}

// The highest number of a table that is known for certain to be in it.
struct Known {
    std::atomic<std::uint64_t> number{0};

    void raise(std::uint64_t to) {
        for (auto now = number.load(); now < to && !number.compare_exchange_weak(now, to);)
            ;
    }
};

struct Race {
    Race() : owner_url(server::owner()), reader_url(server::reader()) {
        for (int i = 0; i < table_count; ++i) {
            auto const owner = server::open_owner();
            server::command(*owner, with_name("DROP TABLE IF EXISTS ", i, ""));
            server::command(*owner, with_name("CREATE TABLE ", i, " (number BIGINT UNSIGNED)"));
            server::command(*owner, with_name("INSERT INTO ", i, " VALUES (0)"));
            tables.push_back(following.log.table("race" + std::to_string(i)));
        }
        following.await_epoch();
    }

    // Boost.Test is of one thread.
    static std::unique_ptr<db::Connection> open(db::DatabaseUrl const& url,
                                                db::SessionOptions const& options) {
        return db::Connection::open(url, options).value();
    }

    // The only one who writes to it.
    void write_to(int table) {
        auto const writer = open(owner_url, {.read_only = false});
        for (std::uint64_t i = 1; !over; ++i) {
            auto const name = with_name("UPDATE ", table, " SET number = number + 1");
            if (!writer->command(name)) return;
            acknowledged[table].raise(i);
            ++writes;
            std::this_thread::sleep_for(2ms);
        }
    }

    struct Entry {
        db::Tag tag;
        std::uint64_t number;
    };

    // The dispatcher: it asks, for all who read.
    void dispatch() {
        Inquirer inquirer(following.log);
        while (!over) {
            auto const asked = tickets.load(); // who comes now, waits for the next inquiry
            auto const epoch = inquirer.confirmed_epoch();
            confirmed_epoch = epoch;
            confirmed = asked;
        }
    }

    std::uint64_t confirm() {
        auto const ticket = ++tickets;
        while (confirmed < ticket && !over)
            std::this_thread::sleep_for(20us); // the machine is the server's
        return confirmed_epoch;
    }

    void read(unsigned seed) {
        std::mt19937 random(seed);
        auto const connection = open(reader_url, {});
        while (!over) {
            auto const table = static_cast<int>(random() % table_count);
            auto const at_least =
                std::max(acknowledged[table].number.load(), seen[table].number.load());
            auto const number = ask(table, *connection);
            if (number < at_least) ++stale;
            seen[table].raise(number);
            ++reads;
        }
    }

    std::uint64_t ask(int table, db::Connection& connection) {
        Tables const of{tables[static_cast<std::size_t>(table)]};
        auto const epoch = confirm();
        if (epoch != 0) {
            std::lock_guard const lock(mutex);
            auto const& entry = kept[table];
            if (entry.tag.epoch == epoch && following.log.holds(entry.tag, of)) {
                ++hits;
                return entry.number;
            }
        }
        auto const tag = following.log.tag_for(connection, of);
        connection.command(SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
        auto rows = connection.query(with_name("SELECT number FROM ", table, ""));
        auto const number = rows && rows->next() ? rows->id(0) : 0;
        connection.command(SqlPiece("COMMIT"));
        std::lock_guard const lock(mutex);
        auto& entry = kept[table];
        if (entry.tag.epoch != tag.epoch || entry.tag.at <= tag.at) entry = {tag, number};
        return number;
    }

    db::DatabaseUrl const owner_url, reader_url;
    Following following;
    Tables tables;
    std::map<int, Known> acknowledged, seen;
    std::map<int, Entry> kept;
    std::mutex mutex;
    std::atomic<std::uint64_t> tickets{0}, confirmed{0}, confirmed_epoch{0};
    std::atomic<std::uint64_t> reads{0}, writes{0}, hits{0}, stale{0};
    std::atomic<bool> over{false};
};

} // namespace

BOOST_AUTO_TEST_CASE(no_read_is_older_than_what_was_acknowledged_or_seen_before) {
    Race race;
    for (int i = 0; i < table_count; ++i)
        race.acknowledged[i], race.seen[i], race.kept[i];
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { race.dispatch(); });
    for (int i = 0; i < table_count; ++i)
        threads.emplace_back([&, i] { race.write_to(i); });
    for (unsigned i = 0; i < 4; ++i)
        threads.emplace_back([&, i] { race.read(i); });
    auto const rotating = server::open_owner();
    for (int i = 0; i < 15; ++i) {
        std::this_thread::sleep_for(200ms);
        server::command(*rotating, SqlPiece("FLUSH BINARY LOGS"));
    }
    // Entries may be used again once the log has rest.
    server::wait_until([&] { return race.hits > 50U && race.writes > 100U; });
    race.over = true;
    threads.clear();
    BOOST_TEST_MESSAGE(race.reads << " reads, " << race.hits << " hits, " << race.writes
                                  << " writes, " << race.following.usage.waits << " of "
                                  << race.following.usage.inquiries << " questions waited");
    BOOST_TEST(race.stale == 0U);
    BOOST_TEST(race.following.log.epoch() == 1U); // rotations end none
}

BOOST_AUTO_TEST_SUITE_END()
