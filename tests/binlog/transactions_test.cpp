#include "shop.hpp"

#include "db/binlog/transactions.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

// What is read of the binlog of a real server, transaction by transaction.

using namespace shop;
using db::RowTag;
using Aspect = RowTag::Aspect;

BOOST_AUTO_TEST_SUITE(transactions)

namespace {

constexpr std::uint16_t id = 0, code = 1, published = 2, price = 3;
constexpr std::size_t columns = 4;

// `value id=7`, with the first byte of an id alone.
std::string text_of(RowTag const& tag) {
    constexpr char const* names[] = {"id", "code", "published", "price"};
    std::string const column = names[tag.column];
    switch (tag.aspect) {
    case Aspect::undecoded:
        return "?";
    case Aspect::inserted:
        return "+";
    case Aspect::deleted:
        return "-";
    case Aspect::column:
        return "#" + column;
    case Aspect::value:
        return column + "=" +
               (tag.column == id ? std::to_string(static_cast<unsigned char>(tag.value[0]))
                                 : std::string(tag.value.data(), tag.value.size()));
    case Aspect::other_value:
        return column + "=?";
    }
    return "";
}

std::string text_of(db::ListedRow const& row) {
    return (row.id ? std::to_string(*row.id) : "?") + "/" + row.document + "/" +
           (row.was_published ? (*row.was_published ? "published" : "draft") : "?");
}

struct TransactionFixture {
    TransactionFixture() {
        make_tables(write);
        write({"DROP TABLE IF EXISTS things",
               "CREATE TABLE things (id INT UNSIGNED PRIMARY KEY, code VARCHAR(40),"
               " published DATETIME(6), price INT)",
               "INSERT INTO things VALUES (1, 'a', NULL, 10), (2, 'b', '2026-01-01', 20)"});
        tables = {{reader.table("things"), "things"}, {reader.table("goods"), "goods"}};
        for (auto const column : {id, code})
            reader.tell_apart(reader.table("things"), column, columns);
        reader.list(reader.table("things"), {.id = id, .document = code, .published = published});
        begin(std::nullopt);
    }

    // Why it does not begin there; empty: it does.
    std::string begin(std::optional<db::LogPlace> const& from) {
        auto const begun = reader.begin(follower(), from);
        BOOST_TEST_REQUIRE(begun.has_value(), begun.error().cause << begun.error().message);
        return begun->gap;
    }

    // All transactions up to a change of goods that this makes itself.
    std::vector<db::Transaction> read() {
        write({"UPDATE goods SET price = price + 1"});
        std::vector<db::Transaction> read;
        auto const end = Clock::now() + 30s;
        while (Clock::now() < end) {
            auto next = reader.next(Clock::now());
            BOOST_TEST_REQUIRE(next.has_value(), next.error().cause << next.error().message);
            if (!*next) continue;
            if ((*next)->tables == std::vector{reader.table("goods")}) return read;
            read.push_back(std::move(**next));
        }
        BOOST_FAIL("the change does not come");
        return read;
    }

    static std::string tags_of(db::Transaction const& transaction) {
        if (transaction.structure) return "structure";
        if (transaction.rows_of_all) return "all";
        std::vector<std::string> texts;
        for (auto const& tag : transaction.tags)
            texts.push_back(text_of(tag));
        std::ranges::sort(texts);
        std::string text;
        for (auto const& one : texts)
            text += (text.empty() ? "" : " ") + one;
        return text;
    }
    // `tags; tags` of each transaction that the statements make.
    std::string changed_by(std::initializer_list<SqlPiece> statements) {
        write(statements);
        std::string text;
        for (auto const& transaction : read())
            text += (text.empty() ? "" : "; ") + tags_of(transaction);
        return text;
    }
    std::string rows_of(std::initializer_list<SqlPiece> statements) {
        write(statements);
        std::string text;
        for (auto const& transaction : read())
            for (auto const& row : transaction.rows)
                text += (text.empty() ? "" : " ") + text_of(row);
        return text;
    }

    Writer write;
    db::TransactionReader reader{{.url = follower(), .heartbeat = 100ms}};
    std::map<db::ChangeLog::Table const*, std::string> tables;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(each_transaction_has_its_tags_and_no_others, TransactionFixture) {
    BOOST_TEST(changed_by({"INSERT INTO things VALUES (3, 'c', NULL, 1)"}) == "+ code=c id=3");
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1",
                           "DELETE FROM things WHERE id = 3"}) ==
               "#price code=a id=1; - code=c id=3");
    BOOST_TEST(changed_by({"START TRANSACTION", "UPDATE things SET price = 12 WHERE id = 1",
                           "SAVEPOINT x", "DELETE FROM things WHERE id = 2", "COMMIT"}) ==
               "#price - code=a code=b id=1 id=2");
    BOOST_TEST(changed_by({"START TRANSACTION", "DELETE FROM things", "ROLLBACK"}) == "");
    BOOST_TEST(changed_by({"UPDATE orders SET price = price + 1"}) == ""); // nobody asked for it
}

BOOST_FIXTURE_TEST_CASE(statements_and_ddl_may_change_everything, TransactionFixture) {
    BOOST_TEST(changed_by({"SET SESSION binlog_format = STATEMENT",
                           "UPDATE things SET price = 13 WHERE id = 1",
                           "SET SESSION binlog_format = ROW"}) == "all");
    BOOST_TEST(changed_by({"ALTER TABLE things ADD more INT"}) == "structure");
    // Until it is told how the table is now, its rows are not understood.
    BOOST_TEST(changed_by({"UPDATE things SET price = 14 WHERE id = 1"}) == "?");
    for (auto const column : {id, code})
        reader.tell_apart(reader.table("things"), column, columns + 1);
    BOOST_TEST(changed_by({"UPDATE things SET price = 15 WHERE id = 1"}) == "#price code=a id=1");
    BOOST_TEST(changed_by({"XA START 'x'", "DELETE FROM things WHERE id = 2", "XA END 'x'",
                           "XA PREPARE 'x'", "XA ROLLBACK 'x'"})
                   .starts_with("structure"));
}

BOOST_FIXTURE_TEST_CASE(a_transaction_of_many_rows_may_change_everything, TransactionFixture) {
    write({"CREATE TABLE ledger (id INT PRIMARY KEY AUTO_INCREMENT)",
           "INSERT INTO ledger VALUES (NULL), (NULL), (NULL), (NULL), (NULL), (NULL), (NULL)"});
    read();
    BOOST_TEST(changed_by({"INSERT INTO things (id) SELECT 100 + a.id * 1000 + b.id * 100 + c.id"
                           " * 10 + d.id + 7 * e.id * 1000 FROM ledger a, ledger b, ledger c,"
                           " ledger d, ledger e ON DUPLICATE KEY UPDATE price = 1"}) == "all");
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1"}) == "#price code=a id=1");
}

BOOST_FIXTURE_TEST_CASE(rows_are_listed_as_far_as_their_images_have_them, TransactionFixture) {
    BOOST_TEST(rows_of({"INSERT INTO things VALUES (3, 'c', NULL, 1)"}) == "3/c/draft");
    BOOST_TEST(rows_of({"UPDATE things SET published = NOW() WHERE id = 3"}) == "3/c/published");
    BOOST_TEST(rows_of({"UPDATE things SET published = NULL WHERE id = 3"}) == "3/c/published");
    BOOST_TEST(rows_of({"UPDATE things SET price = 1 WHERE id = 2"}) == "2/b/published");
    BOOST_TEST(rows_of({"DELETE FROM things WHERE id IN (2, 3)"}) == "2/b/published 3/c/draft");
    write({"SET binlog_row_image = NOBLOB"});
    BOOST_TEST(rows_of({"UPDATE things SET price = 2 WHERE id = 1"}) == "1/a/draft");
    write({"SET binlog_row_image = MINIMAL"});
    BOOST_TEST(rows_of({"UPDATE things SET price = 3 WHERE id = 1"}) == "1//?");
    BOOST_TEST(rows_of({"UPDATE things SET published = NOW() WHERE id = 1"}) == "1//published");
    BOOST_TEST(changed_by({"UPDATE things SET price = 4 WHERE id = 1"}) == "#price code=? id=1");
}

BOOST_FIXTURE_TEST_CASE(reading_goes_on_where_it_ended, TransactionFixture) {
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1"}) == "#price code=a id=1");
    auto const place = reader.place();
    write({"UPDATE things SET price = 11 WHERE id = 2", "FLUSH BINARY LOGS",
           "UPDATE things SET price = 12 WHERE id = 1", "FLUSH BINARY LOGS"});
    for (int i = 0; i < 2; ++i) { // as often as it is read
        BOOST_TEST(begin(place) == "");
        BOOST_TEST(changed_by({}) == "#price code=b id=2; #price code=a id=1");
    }
    BOOST_TEST(begin(reader.place()) == "");
    BOOST_TEST(changed_by({}) == "");
}

// Each place between two transactions serves, as a program that ends at any moment may have it.
BOOST_FIXTURE_TEST_CASE(reading_goes_on_after_any_transaction, TransactionFixture) {
    auto const start = reader.place();
    write({"UPDATE things SET price = 21 WHERE id = 1", "ALTER TABLE orders ADD more INT",
           "START TRANSACTION", "INSERT INTO things VALUES (3, 'c', NULL, 1)",
           "UPDATE things SET price = 22 WHERE id = 1", "COMMIT", "FLUSH BINARY LOGS",
           "DELETE FROM things WHERE id = 3"});
    constexpr std::size_t count = 4;
    for (std::size_t first = 0; first <= count; ++first) {
        BOOST_TEST(begin(start) == "");
        for (std::size_t i = 0; i < first;) {
            auto const next = reader.next(Clock::now());
            BOOST_TEST_REQUIRE(next.has_value());
            if (*next) ++i;
        }
        BOOST_TEST(begin(reader.place()) == "");
        BOOST_TEST(read().size() == count - first);
    }
}

BOOST_FIXTURE_TEST_CASE(reading_goes_on_when_a_server_that_was_killed_is_there_again,
                        TransactionFixture) {
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1"}) == "#price code=a id=1");
    auto const place = reader.place();
    write({"UPDATE things SET price = 12 WHERE id = 2"});
    server_is_to("kill");
    auto lost = reader.next(Clock::now() + 30s);
    while (lost && *lost)
        lost = reader.next(Clock::now() + 30s);
    BOOST_TEST(!lost.has_value());
    BOOST_TEST(reader.place().has_value());
    BOOST_TEST(!reader.begin(follower(), place).has_value());
    server_is_to("start");
    write = Writer();
    BOOST_TEST(begin(place) == "");
    BOOST_TEST(changed_by({}) == "#price code=b id=2");
}

BOOST_FIXTURE_TEST_CASE(what_the_log_no_longer_has_is_a_gap, TransactionFixture) {
    auto place = reader.place();
    write({"UPDATE things SET price = 11 WHERE id = 1", "FLUSH BINARY LOGS"});
    read();
    BOOST_TEST(begin(place) == "");
    read();
    server::wait_until([&] { // the server keeps a file that a connection of before still reads
        write({"PURGE BINARY LOGS BEFORE '2037-01-01'"});
        return db::file_number(write.ask("SHOW BINARY LOGS")) > db::file_of(place->position);
    });
    BOOST_TEST(begin(place) == "the binary log no longer has what was to be read next");
    BOOST_TEST(changed_by({"UPDATE things SET price = 12 WHERE id = 1"}) == "#price code=a id=1");

    place = reader.place();
    place->server += "other";
    BOOST_TEST(begin(place) == "the database server is another one");
    BOOST_TEST(changed_by({"UPDATE things SET price = 13 WHERE id = 1"}) == "#price code=a id=1");
}

// The new log has a file of the same name, which is longer.
BOOST_FIXTURE_TEST_CASE(a_log_that_begins_anew_is_a_gap, TransactionFixture) {
    write.reset_log();
    begin(std::nullopt);
    auto const place = reader.place();
    std::this_thread::sleep_for(1100ms); // it begins in another second
    write.reset_log();
    for (int i = 0; i < 20; ++i)
        write({"UPDATE things SET price = price + 1"});
    BOOST_TEST(begin(place) == "the binary log was reset");
    BOOST_TEST(changed_by({"UPDATE things SET price = 12 WHERE id = 1"}) == "#price code=a id=1");
}

BOOST_FIXTURE_TEST_CASE(a_log_that_begins_anew_while_it_is_read_is_noticed, TransactionFixture) {
    std::this_thread::sleep_for(1100ms); // the new log begins in another second
    write.reset_log();
    for (int i = 0; i < 200; ++i) // also if it is soon longer than it was
        write({"UPDATE orders SET price = price + 1"});
    auto const end = Clock::now() + 30s;
    bool has_ended = false;
    while (!has_ended && Clock::now() < end)
        has_ended = !reader.next(Clock::now()).has_value();
    BOOST_TEST(has_ended);
    if (auto const place = reader.place()) BOOST_TEST(begin(place) != "");
}

// Within the second in which the log that was read began, too.
BOOST_FIXTURE_TEST_CASE(a_log_that_begins_anew_and_ends_where_it_did_is_noticed,
                        TransactionFixture) {
    SqlPiece const update("UPDATE goods SET price = price + 1");
    write.reset_log();
    write({update});
    begin(std::nullopt);
    for (unsigned long i = 0; i < server::number("RESETS", 3); ++i) {
        write.replace_log(update);
        auto const patience = Clock::now() + 30s;
        bool has_ended = false;
        while (!has_ended && Clock::now() < patience)
            has_ended = !reader.next(Clock::now()).has_value();
        BOOST_TEST_REQUIRE(has_ended, "reset " << i);
        BOOST_TEST(!reader.place().has_value());
        begin(reader.place());
    }
}

// As one does that has too much to do.
BOOST_FIXTURE_TEST_CASE(changes_are_read_while_the_server_does_not_say_where_its_log_ends,
                        TransactionFixture) {
    auto url = follower();
    faults::ChaosProxy proxy(url.socket + ".proxy", url.socket);
    url.socket += ".proxy";
    BOOST_TEST_REQUIRE(reader.begin(url, std::nullopt).has_value());
    proxy.set({.hold_others = true});
    for (auto const end = Clock::now() + 4s; Clock::now() < end;)
        BOOST_TEST_REQUIRE(changed_by({"UPDATE things SET price = price + 1 WHERE id = 1"}) ==
                           "#price code=a id=1");
}

BOOST_FIXTURE_TEST_CASE(what_waits_for_the_server_can_be_interrupted, TransactionFixture) {
    server_is_to("pause");
    auto const before = Clock::now();
    std::thread other([&] {
        std::this_thread::sleep_for(100ms);
        reader.interrupt();
    });
    while (reader.next(Clock::now() + 30s)) {
    }
    other.join();
    BOOST_TEST((Clock::now() - before < 5s));
    server_is_to("continue");
}

BOOST_AUTO_TEST_SUITE_END()
