#include "db/mysql/wire.hpp"

#include "scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <tuple>

BOOST_AUTO_TEST_SUITE(wire)

namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using Clock = db::Wire::Clock;
using packets::table;

constexpr auto for_ever = 1h;

bool opens(db::Wire& wire, Listener const& server, Clock::duration patience = for_ever) {
    return wire.open(server.url(), Clock::now() + patience, 60s);
}

struct Opened {
    explicit Opened(std::vector<ScriptedServer::Line> script) : server(std::move(script)) {
        BOOST_TEST_REQUIRE(opens(wire, server), wire.error());
    }
    auto query(std::string_view sql) { return wire.query(sql, Clock::now() + for_ever); }

    ScriptedServer server;
    db::Interrupter interrupter;
    db::Wire wire{interrupter};
};

// All rows, `,` between their cells and ` ` between them.
std::string text_of(db::WireRows& rows, unsigned columns) {
    std::string text;
    while (rows.next()) {
        text += text.empty() ? "" : " ";
        for (unsigned i = 0; i < columns; ++i)
            text.append(i > 0 ? "," : "").append(rows.text(i));
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_cannot_be_opened_says_why) {
    db::Interrupter interrupter;
    {
        Listener const silent;
        db::Wire wire(interrupter);
        auto const begin = Clock::now();
        BOOST_TEST(!opens(wire, silent, 50ms));
        BOOST_TEST((Clock::now() - begin < 10s));
        BOOST_TEST(wire.error() == "the database does not answer in time");
        BOOST_TEST(wire.error_code() == 0U); // the server has said nothing
    }
    {
        ScriptedServer const full({}, packets::error(1040, "Too many connections"));
        db::Wire wire(interrupter);
        BOOST_TEST(!opens(wire, full));
        BOOST_TEST(wire.error_code() == 1040U);
        BOOST_TEST(wire.error().find("Too many connections") != std::string::npos);
    }
    auto const nobody = Listener().url();
    db::Wire wire(interrupter);
    BOOST_TEST(!wire.open(nobody, Clock::now() + for_ever, 60s));
    BOOST_TEST(wire.error_code() >= 2000U); // of the client's library
}

BOOST_AUTO_TEST_CASE(rows_have_their_cells_by_place_and_by_name) {
    Opened opened({{"SELECT", table({"name", "size"}, {{"a", "1"}, {nullptr, ""}})}});
    auto rows = opened.query("SELECT name, size");
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->text(0) == ""); // before the first row
    BOOST_TEST_REQUIRE(rows->next());
    BOOST_TEST(rows->text(0) == "a");
    BOOST_TEST(rows->text("size") == "1");
    BOOST_TEST(rows->text(2) == "");
    BOOST_TEST(rows->text("nothing") == "");
    BOOST_TEST_REQUIRE(rows->next());
    BOOST_TEST(rows->text("name") == "");
    BOOST_TEST(rows->text(1) == "");
    BOOST_TEST(!rows->next());
    BOOST_TEST(rows->text(0) == "");
}

BOOST_AUTO_TEST_CASE(of_several_statements_the_rows_are_those_of_the_last) {
    auto both = table({"a"}, {{"1"}, {"2"}}, true);
    auto const last = table({"b"}, {{"3"}, {"4"}});
    both.insert(both.end(), last.begin(), last.end());
    auto none = table({"a"}, {{"1"}}, true);
    none.push_back(packets::ok());
    std::tuple<char const*, packets::Packets, char const*> const cases[] = {
        {"two with rows", both, "3 4"},
        {"the last has none", none, ""},
        {"no rows at all", table({"a"}, {}), ""},
        {"no table", {packets::ok()}, ""},
        {"two without", {packets::ok(true), packets::ok()}, ""},
    };
    for (auto const& [name, reply, expected] : cases) {
        Opened opened({{"now", reply}, {"later", table({"c"}, {{"5"}})}});
        auto rows = opened.query("now");
        BOOST_TEST_REQUIRE(rows.has_value(), name);
        BOOST_TEST(text_of(*rows, 1) == expected, name);
        auto next = opened.query("later"); // nothing of the first reply is left
        BOOST_TEST_REQUIRE(next.has_value(), name);
        BOOST_TEST(text_of(*next, 1) == "5", name);
    }
}

BOOST_AUTO_TEST_CASE(a_statement_that_is_refused_has_no_rows) {
    auto second = table({"a"}, {{"1"}}, true);
    second.push_back(packets::error(1227, "Access denied"));
    for (auto const& reply : {packets::Packets{packets::error(1227, "Access denied")}, second}) {
        Opened opened({{"SHOW", reply}});
        BOOST_TEST(!opened.query("SHOW").has_value());
        BOOST_TEST(opened.wire.error_code() == 1227U);
        BOOST_TEST(opened.wire.error().find("Access denied") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(the_events_of_a_binlog_come_one_by_one_until_it_ends) {
    Opened opened({{"COM_BINLOG_DUMP", {"\0first"s, "\0second"s, "\xfe\0\0\2\0"s}}});
    BOOST_TEST_REQUIRE(opened.wire.follow("log.000001", 4, 7));
    for (auto const* const event : {"first", "second"}) {
        auto const packet = opened.wire.next_event();
        BOOST_TEST_REQUIRE(packet.has_value());
        BOOST_TEST(*packet == event);
    }
    BOOST_TEST(!opened.wire.next_event().has_value());
    BOOST_TEST(opened.wire.error() == "the server ended the stream");
}

BOOST_AUTO_TEST_CASE(an_interrupter_that_interrupts_ends_what_another_thread_waits_for) {
    Listener const silent;
    db::Interrupter interrupter;
    db::Wire waits(interrupter);
    auto const begin = Clock::now();
    std::jthread const cutter([&] {
        std::this_thread::sleep_for(20ms);
        interrupter.interrupt();
    });
    BOOST_TEST(!opens(waits, silent));
    BOOST_TEST((Clock::now() - begin < 10s));
    BOOST_TEST(interrupter.is_interrupted());
}

BOOST_AUTO_TEST_CASE(nothing_is_opened_after_an_interrupt_until_it_is_rearmed) {
    ScriptedServer const server;
    db::Interrupter interrupter;
    interrupter.interrupt();
    db::Wire interrupt(interrupter);
    BOOST_TEST(!opens(interrupt, server));
    interrupter.rearm();
    BOOST_TEST(!interrupter.is_interrupted());
    db::Wire rearmed(interrupter);
    BOOST_TEST(opens(rearmed, server));
}

BOOST_AUTO_TEST_CASE(a_wire_that_has_left_its_interrupter_is_not_interrupted) {
    Opened opened({{"SELECT", table({"a"}, {{"1"}})}});
    opened.wire.leave_interrupter();
    opened.interrupter.interrupt();
    auto rows = opened.query("SELECT 1");
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST(text_of(*rows, 1) == "1");
    Opened another({});
    another.interrupter.interrupt();
    BOOST_TEST(!another.query("SELECT 1").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
