#include "shop.hpp"

#include "db/binlog/row_tag.hpp"

#include <map>

// Which row tags the statements of a real server change.

using namespace shop;
using db::RowTag;
using Aspect = RowTag::Aspect;

BOOST_AUTO_TEST_SUITE(rows)

namespace {

constexpr std::uint16_t id = 0, code = 1, price = 2;

struct Tags {
    Tags() {
        make_tables(write);
        write({"DROP TABLE IF EXISTS things",
               "CREATE TABLE things (id INT UNSIGNED PRIMARY KEY, code VARCHAR(300), price INT,"
               " a TINYINT, b SMALLINT UNSIGNED, c MEDIUMINT, d BIGINT, e FLOAT, f DOUBLE,"
               " g DECIMAL(20,7), h DECIMAL(3,0), i BIT(9), j BIT(8), k YEAR, l DATE, m TIME(3),"
               " n DATETIME(6), o DATETIME, p TIMESTAMP(1) NULL, q CHAR(10), r CHAR(255),"
               " s VARCHAR(20), t BINARY(4), u VARBINARY(400), v ENUM('x', 'y'), w SET('x', 'y'),"
               " x TINYTEXT, y TEXT, z LONGBLOB, aa JSON, ab POINT, ac BOOL, last INT)"
               " CHARACTER SET utf8mb4",
               "INSERT INTO things (id, code, price) VALUES (1, 'a', 10)",
               "INSERT INTO things VALUES (7, 'seven', 7, -1, 60000, -5, -9, 1.5, 2.5, -12345.6789,"
               " 999, b'100000001', b'1', 2026, '2026-11-28', '-12:34:56.789',"
               " '2026-11-28 01:02:03.456789', '2026-11-28 01:02:03', '2026-11-28 01:02:03.4',"
               " 'char', REPEAT('é', 255), 'short', 'bin', REPEAT('x', 300), 'y', 'x,y', 'tiny',"
               " REPEAT('y', 70000 DIV 2), REPEAT('z', 70000), '[1, 2]', POINT(1, 2), 1, 77)"});
        following.await_epoch();
        inquirer.emplace(following.log);
        for (auto const column : {id, code, last})
            BOOST_TEST(following.log.tell_apart(things, column, columns));
    }

    db::ChangeLog::Slot slot(RowTag tag) const {
        tag.table = things;
        return following.log.slot(tag);
    }

    // A tag that holds now; on a busy machine one may be too old at once.
    db::Tag new_tag() {
        db::Tag tag;
        server::wait_until([&] {
            inquirer->confirmed_epoch();
            tag = following.log.tag_for(*reader, tables);
            return following.log.holds(tag, tables);
        });
        return tag;
    }

    // The names of the tags that the statements change.
    std::string changed_by(std::initializer_list<SqlPiece> statements) {
        db::Tag const tag = new_tag();
        write(statements);
        inquirer->confirmed_epoch();
        std::string changed;
        for (auto const& [name, of_row] : known) {
            db::ChangeLog::Slot const slots[] = {slot(of_row)};
            if (!following.log.holds(tag, {}, slots)) changed += name + ' ';
        }
        return changed;
    }

    static constexpr std::uint16_t last = 32;
    static constexpr std::size_t columns = last + 1;
    Writer write;
    Following following;
    std::unique_ptr<db::Connection> reader = server::open(server::reader());
    std::optional<Inquirer> inquirer;
    Tables tables{following.log.table("things")};
    db::ChangeLog::Table const* things = tables[0];
    std::map<std::string, RowTag> const known{
        {"?", {nullptr, Aspect::undecoded}},
        {"+", {nullptr, Aspect::inserted}},
        {"-", {nullptr, Aspect::deleted}},
        {"#price", {nullptr, Aspect::column, price}},
        {"#code", {nullptr, Aspect::column, code}},
        {"#id", {nullptr, Aspect::column, id}},
        {"id=1", {nullptr, Aspect::value, id, db::tag_value(1)}},
        {"id=2", {nullptr, Aspect::value, id, db::tag_value(2)}},
        {"id=7", {nullptr, Aspect::value, id, db::tag_value(7)}},
        {"id=?", {nullptr, Aspect::other_value, id}},
        {"code=a", {nullptr, Aspect::value, code, *db::tag_value("a")}},
        {"code=b", {nullptr, Aspect::value, code, *db::tag_value("b")}},
        {"code=seven", {nullptr, Aspect::value, code, *db::tag_value("seven")}},
        {"code=?", {nullptr, Aspect::other_value, code}},
        {"last=77", {nullptr, Aspect::value, last, db::tag_value(77)}},
        {"last=78", {nullptr, Aspect::value, last, db::tag_value(78)}},
        {"last=?", {nullptr, Aspect::other_value, last}},
    };
};

} // namespace

BOOST_FIXTURE_TEST_CASE(whole_rows_show_what_changed, Tags) {
    BOOST_TEST(changed_by({"UPDATE orders SET price = price + 1"}) == "");
    BOOST_TEST(changed_by({"INSERT INTO things (id, code) VALUES (2, 'b')"}) == "+ code=b id=2 ");
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1"}) == "#price code=a id=1 ");
    BOOST_TEST(changed_by({"UPDATE things SET price = NULL WHERE id = 1"}) ==
               "#price code=a id=1 ");
    BOOST_TEST(changed_by({"UPDATE things SET code = 'B' WHERE id = 1"}) ==
               "#code code=a code=b id=1 ");
    BOOST_TEST(changed_by({"UPDATE things SET code = 'é' WHERE id = 1"}) ==
               "#code code=? code=b id=1 ");
    BOOST_TEST(changed_by({"UPDATE things SET code = NULL WHERE id = 1"}) == "#code code=? id=1 ");
    BOOST_TEST(changed_by({"UPDATE things SET id = 1001 WHERE id = 2"}) == "#id code=b id=2 ");
    BOOST_TEST(changed_by({"DELETE FROM things WHERE id = 1"}) == "- id=1 ");
    BOOST_TEST(changed_by({"START TRANSACTION", "DELETE FROM things WHERE id = 1001",
                           "INSERT INTO things (id, price) VALUES (1, 1)", "ROLLBACK"}) == "");
}

// All of them are stepped over to the last column, filled and NULL.
BOOST_FIXTURE_TEST_CASE(columns_of_any_type_are_understood, Tags) {
    BOOST_TEST(changed_by({"UPDATE things SET last = 78 WHERE id = 7"}) ==
               "code=seven id=7 last=77 last=78 ");
    BOOST_TEST(changed_by({"INSERT INTO things (id, last) VALUES (2, 77)"}) == "+ id=2 last=77 ");
    BOOST_TEST(changed_by({"DELETE FROM things WHERE id IN (2, 7)"}) ==
               "- code=seven id=2 id=7 last=77 last=78 ");
}

// A column that an image lacks may have any value.
BOOST_FIXTURE_TEST_CASE(parts_of_rows_show_what_changed_and_what_is_not_known, Tags) {
    write({"SET binlog_row_image = MINIMAL"});
    BOOST_TEST(changed_by({"UPDATE things SET price = 11 WHERE id = 1"}) ==
               "#price code=? id=1 last=? ");
    BOOST_TEST(changed_by({"UPDATE things SET code = 'b' WHERE id = 1"}) ==
               "#code code=? code=b id=1 last=? ");
    BOOST_TEST(changed_by({"INSERT INTO things (id) VALUES (2)"}) == "+ code=? id=2 last=? ");
    BOOST_TEST(changed_by({"DELETE FROM things WHERE id = 1"}) == "- code=? id=1 last=? ");
    write({"SET binlog_row_image = NOBLOB"});
    BOOST_TEST(changed_by({"UPDATE things SET last = 78 WHERE id = 7"}) ==
               "code=seven id=7 last=77 last=78 ");
}

BOOST_FIXTURE_TEST_CASE(rows_count_as_changed_once_they_are_told_apart_by_another_column, Tags) {
    db::ChangeLog::Slot const slots[] = {slot({nullptr, Aspect::other_value, price})};
    auto const before = new_tag();
    BOOST_TEST(changed_by({"UPDATE things SET price = 12 WHERE id = 1"}) == "#price code=a id=1 ");
    BOOST_TEST(following.log.holds(before, {}, slots));
    BOOST_TEST(following.log.tell_apart(things, price, columns));
    BOOST_TEST(!following.log.holds(before, {}, slots));
    BOOST_TEST(!following.log.tell_apart(things, 64, columns));
}

// The last connection of the account is the one that asks while others wait.
BOOST_FIXTURE_TEST_CASE(what_holds_until_now_is_known_again_after_its_connection_was_lost, Tags) {
    auto const holds = [&] {
        auto const tag = following.log.tag_for(*reader, tables);
        return inquirer->confirmed_epoch() != 0 && following.log.holds_until_now(tag, tables, {});
    };
    server::wait_until(holds);
    auto const epoch = following.log.epoch();
    auto const newest = write.ask("SELECT MAX(ID) FROM information_schema.PROCESSLIST"
                                  " WHERE USER = 'cache'");
    auto const owner = server::open_owner();
    server::command(*owner,
                    db::SqlText(SqlPiece("KILL ")).integer(std::uint64_t{std::stoul(newest)}));
    BOOST_TEST(!holds());
    server::wait_until(holds);
    BOOST_TEST(following.log.epoch() == epoch);
}

BOOST_FIXTURE_TEST_CASE(rows_with_another_number_of_columns_are_not_understood, Tags) {
    BOOST_TEST(following.log.tell_apart(things, id, columns + 1));
    BOOST_TEST(changed_by({"UPDATE things SET price = 13 WHERE id = 1"}) == "? ");
    BOOST_TEST(following.log.tell_apart(things, id, columns));
    BOOST_TEST(changed_by({"UPDATE things SET price = 14 WHERE id = 1"}) == "#price code=a id=1 ");
}

BOOST_AUTO_TEST_SUITE_END()
