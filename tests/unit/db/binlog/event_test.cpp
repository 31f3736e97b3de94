#include "packets.hpp"

#include "db/binlog/event.hpp"

#include <boost/test/unit_test.hpp>

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
