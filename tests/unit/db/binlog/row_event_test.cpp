#include "db/binlog/event.hpp"
#include "db/binlog/row_event.hpp"
#include "packets.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>

BOOST_AUTO_TEST_SUITE(row_event)

namespace {

using packets::number;
using namespace std::string_literals;

// INT, VARCHAR(255) in utf8mb4, TEXT.
std::string const columns = "\x03\x03\x0f\xfc\x03\xfc\x03\x02\x00"s;

std::string row(unsigned id, std::string const& name, std::string const& text) {
    return number(0, 1) + number(id, 4) + number(name.size(), 2) + name + number(text.size(), 2) +
           text;
}

constexpr auto all_columns = "\x07";

std::string rows_event(unsigned kind, std::string const& rows, bool checksum = true) {
    bool const is_v2 = kind >= 30;
    bool const is_update = kind == 24 || kind == 31;
    return packets::event({.kind = kind, .end = 1'000, .checksum = checksum},
                          number(99, 6) + number(1, 2) +
                              (is_v2 ? number(5, 2) + "abc" : std::string()) + number(3, 1) +
                              all_columns + (is_update ? all_columns : "") + rows);
}

std::string text_of(db::RowImage const& image) {
    std::string text;
    for (auto const& cell : image)
        text += !cell.is_present ? "- "
                : cell.value     ? "'" + std::string(*cell.value) + "' "
                                 : "NULL ";
    return text;
}

// Its rows, `before>after` each; `malformed` at the end if it is.
std::string read(std::string const& packet) {
    auto const event = db::read_event(packet);
    auto const format = db::RowFormat::read(columns);
    BOOST_TEST_REQUIRE((event && format));
    db::RowEvent rows(*event, *format);
    std::string text;
    while (rows.next())
        text += text_of(rows.before()) + ">" + text_of(rows.after());
    return text + (rows.is_well_formed() ? "" : "malformed");
}

} // namespace

BOOST_AUTO_TEST_CASE(rows_have_what_was_before_and_after) {
    auto const one = row(0x41424344, "a", "x"), other = row(0x45464748, "", "yy");
    auto const nulls = number(6, 1) + number(0x41424344, 4);
    std::tuple<unsigned, std::string, std::string> const table[] = {
        {23, one, "- - - >'DCBA' 'a' 'x' "},
        {30, one + other, "- - - >'DCBA' 'a' 'x' - - - >'HGFE' '' 'yy' "},
        {24, one + other, "'DCBA' 'a' 'x' >'HGFE' '' 'yy' "},
        {31, one + nulls, "'DCBA' 'a' 'x' >'DCBA' NULL NULL "},
        {25, other, "'HGFE' '' 'yy' >- - - "},
        {32, nulls, "'DCBA' NULL NULL >- - - "},
        {25, "", ""},
    };
    for (auto const& [kind, rows, expected] : table)
        for (bool const checksum : {true, false})
            BOOST_TEST(read(rows_event(kind, rows, checksum)) == expected, kind);
}

BOOST_AUTO_TEST_CASE(columns_that_an_image_lacks_are_not_present) {
    auto const some = packets::event({.kind = 23, .end = 1'000},
                                     number(99, 6) + number(1, 2) + number(3, 1) + "\x05" +
                                         number(2, 1) + number(0x41424344, 4));
    BOOST_TEST(read(some) == "- - - >'DCBA' - NULL ");
}

BOOST_AUTO_TEST_CASE(what_ends_within_a_row_or_is_of_another_table_is_malformed) {
    auto const rows = row(0x41424344, "name", "text") + row(0x45464748, "", "");
    auto const first = row(0x41424344, "name", "text").size();
    for (std::size_t size = 1; size < rows.size(); ++size)
        BOOST_TEST(read(rows_event(23, rows.substr(0, size))).ends_with("malformed") ==
                       (size != first),
                   size);
    auto const nothing = packets::event({.kind = 23, .end = 1'000},
                                        number(99, 6) + number(1, 2) + number(3, 1) + "\0\0\0"s);
    auto const four_columns = packets::event(
        {.kind = 23, .end = 1'000}, number(99, 6) + number(1, 2) + number(4, 1) + "\x0f" + "rest");
    auto const no_rows = packets::event({.kind = 19, .end = 1'000}, rows);
    auto const short_header = packets::event({.kind = 23, .end = 1'000}, number(99, 6));
    for (auto const& packet : {nothing, four_columns, no_rows, short_header})
        BOOST_TEST(read(packet) == "malformed");
}

BOOST_AUTO_TEST_CASE(columns_of_unknown_types_or_lengths_are_not_understood) {
    std::string const table[] = {
        "\x01\x8d\x02\x00\x00"s, // a compressed VARCHAR of MariaDB
        "\x01\x14\x00"s,         // MySQL's arrays
        "\x01\xfc\x01\x05"s,     // a length of five bytes
        "\x01\x0f\x01\xff"s,     // half of what is said of a VARCHAR
        "\x01\x03\x01\xff"s,     // more than is said of an INT
        "\x05\x03"s,             // fewer columns than it says
        "\xfb\x03"s,             // no number
        ""s,
    };
    for (auto const& bytes : table)
        BOOST_TEST(!db::RowFormat::read(bytes).has_value());
    BOOST_TEST(db::RowFormat::read("\xfc\x01\x00\x03\x00"s).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(event)

namespace {

db::LogEvent read(std::string const& packet) {
    auto const event = db::read_event(packet);
    BOOST_TEST_REQUIRE(event.has_value());
    return *event;
}

} // namespace

BOOST_AUTO_TEST_CASE(its_end_and_length_are_read) {
    auto const packet = packets::query(1234, "BEGIN");
    auto const event = read(packet);
    BOOST_TEST((event.kind == db::EventKind::query));
    BOOST_TEST(event.end == 1234U);
    BOOST_TEST(event.length == packet.size());
    BOOST_TEST(!event.artificial);
}

BOOST_AUTO_TEST_CASE(what_it_says_is_the_same_with_and_without_a_checksum) {
    for (bool const checksum : {false, true}) {
        auto const query = packets::query(1, "UPDATE goods SET price = 1", checksum);
        BOOST_TEST(db::statement(read(query)).value() == "UPDATE goods SET price = 1");
        auto const rotate = packets::rotate("log.000012", 4, checksum);
        BOOST_TEST(db::rotation(read(rotate))->file == "log.000012");
        BOOST_TEST(db::rotation(read(rotate))->offset == 4U);
        BOOST_TEST(read(rotate).artificial);
    }
}

BOOST_AUTO_TEST_CASE(tables_and_transactions_are_named) {
    auto const map = packets::table_map(1, "goods");
    auto const table = db::changed_table(read(map));
    BOOST_TEST_REQUIRE(table.has_value());
    BOOST_TEST(table->database == "shop");
    BOOST_TEST(table->name == "goods");
    auto const gtid = packets::gtid_log(1, "0123456789abcdef", 77);
    BOOST_TEST(db::transaction_number(read(gtid))->uuid == "0123456789abcdef");
    BOOST_TEST(db::transaction_number(read(gtid))->number == 77U);
    for (unsigned const flags : {0U, 0x0cU, 0x20U})
        BOOST_TEST(!db::is_xa(read(packets::gtid(1, flags))).value(), flags);
    for (unsigned const flags : {0x40U, 0x80U, 0x4cU})
        BOOST_TEST(db::is_xa(read(packets::gtid(1, flags))).value(), flags);
}

// Cut off anywhere, it is found broken, or is shorter.
BOOST_AUTO_TEST_CASE(of_less_than_all_bytes_nothing_is_read_behind_them) {
    for (auto const& whole :
         {packets::query(1, "BEGIN"), packets::table_map(1, "goods"), packets::gtid(1),
          packets::gtid_log(1, "0123456789abcdef", 7), packets::rotate("log.000012", 4)}) {
        for (std::size_t size = 0; size < whole.size(); ++size) {
            std::string const part(whole, 0, size); // of its own, for AddressSanitizer
            auto const event = db::read_event(part);
            BOOST_TEST(event.has_value() == (size >= 19));
            if (!event) continue;
            auto const sql = db::statement(*event);
            BOOST_TEST((!sql || sql->data() + sql->size() <= part.data() + part.size()));
            db::changed_table(*event);
            db::rotation(*event);
            db::transaction_number(*event);
            db::is_xa(*event);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
