#include "db/mysql/hosts.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(hosts, *boost::unit_test::label("waits"))

namespace {

using namespace std::chrono_literals;
using Balance = db::HostRules::Balance;
using Names = std::vector<std::string>;
using Clock = db::Hosts::Clock;

// A report stays true for as long as a busy machine may need.
constexpr db::HostRules patient{.max_lag = 20s, .connect_timeout = 20s};

db::DatabaseHosts named(Names const& names, db::HostRules const& rules = patient) {
    db::DatabaseHosts database;
    database.urls.clear();
    for (auto const& name : names)
        database.urls.emplace_back().host = name;
    database.rules = rules;
    return database;
}

struct Fixture {
    explicit Fixture(db::HostRules const& rules = patient, Names const& names = {"a", "b", "c"})
        : hosts(named(names, rules)) {
        hosts.report_host = [this](db::HostEvent const& event) {
            told.push_back(event.host.substr(0, 1) + (event.why.empty() ? " back" : " left"));
        };
        hosts.lost = [this](db::Host const& host) { lost.push_back(host.url().host); };
        hosts.moved = [this](db::HostPointer const& host) {
            moved.push_back(host ? host->url().host : "-");
        };
        hosts.begin_reports();
    }

    db::HostPointer host(std::string const& name) {
        for (auto const& host : hosts.all())
            if (host->url().host == name) return host;
        throw std::out_of_range(name);
    }
    void primary(std::string const& name, std::string const& has, Clock::duration ago = 0ms) {
        report(name, has, true, ago);
    }
    void replica(std::string const& name, std::string const& has, Clock::duration ago = 0ms) {
        report(name, has, false, ago);
    }
    void report(std::string const& name, std::string const& has, bool is_writable,
                Clock::duration ago) {
        hosts.report(*host(name), {Clock::now() - ago, is_writable,
                                   db::TransactionSet::of_mariadb(has).value()});
    }
    // Empty: none may be asked.
    std::string chosen() {
        auto const host = hosts.choose(Clock::now());
        return host ? (*host)->url().host : "";
    }

    db::Hosts hosts;
    Names told, lost, moved;
};

} // namespace

BOOST_AUTO_TEST_CASE(one_alone_is_asked_whatever_is_said_of_it) {
    Fixture one(patient, {"a"});
    BOOST_TEST(one.chosen() == "a");
    one.hosts.fail(*one.host("a"), "is gone", true);
    BOOST_TEST(!one.hosts.suspect(*one.host("a")));
    BOOST_TEST(one.hosts.is_well(*one.host("a")));
    BOOST_TEST(one.chosen() == "a");
}

BOOST_FIXTURE_TEST_CASE(in_order_the_first_that_may_be_asked_is, Fixture) {
    BOOST_TEST(chosen() == ""); // nobody has said anything
    primary("b", "0-1-5");
    BOOST_TEST(chosen() == ""); // another may have more
    hosts.fail(*host("a"), "is gone", true);
    hosts.fail(*host("c"), "is gone", true);
    primary("b", "0-1-5");
    BOOST_TEST(chosen() == "b");
    replica("a", "0-1-5");
    BOOST_TEST(chosen() == "a");
    hosts.fail(*host("a"), "is gone", true);
    BOOST_TEST(chosen() == "b");
    replica("a", "0-1-5");
    BOOST_TEST(chosen() == "a");
}

BOOST_AUTO_TEST_CASE(at_random_all_are_asked_the_same) {
    Fixture three({.balance = Balance::random, .max_lag = 20s, .connect_timeout = 20s});
    three.primary("a", "0-1-5");
    three.replica("b", "0-1-5");
    three.replica("c", "0-1-5");
    std::map<std::string, int> times;
    for (int i = 0; i < 300; ++i)
        ++times[three.chosen()];
    BOOST_TEST(times["a"] == 100);
    BOOST_TEST(times["b"] == 100);
    BOOST_TEST(times["c"] == 100);
}

BOOST_AUTO_TEST_CASE(who_stays_leaves_when_it_has_to_and_says_so) {
    Fixture two({.balance = Balance::random, .max_lag = 20s, .connect_timeout = 20s, .stays = true},
                {"a", "b"});
    two.hosts.fail(*two.host("b"), "is gone", false);
    two.primary("a", "0-1-5");
    two.replica("b", "0-1-5");
    for (int i = 0; i < 10; ++i)
        BOOST_TEST(two.chosen() == "a");
    two.hosts.suspect(*two.host("a"));
    BOOST_TEST(two.chosen() == "b");
    two.primary("a", "0-1-5");
    BOOST_TEST(two.chosen() == "b");
    two.hosts.fail(*two.host("b"), "is gone", true);
    two.hosts.fail(*two.host("a"), "is gone", true);
    BOOST_TEST(two.chosen() == "");
    BOOST_TEST(two.moved == (Names{"-", "a", "b", "a", "-"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_refused_is_not_asked_before_it_has_said_how_it_is) {
    Fixture two(patient, {"a", "b"});
    two.primary("a", "0-1-5");
    two.replica("b", "0-1-5");
    BOOST_TEST(two.hosts.suspect(*two.host("a")));
    BOOST_TEST(two.chosen() == "b");
    two.primary("a", "0-1-5", 1s); // it was asked before
    BOOST_TEST(two.chosen() == "b");
    two.primary("a", "0-1-5");
    BOOST_TEST(two.chosen() == "a");
}

BOOST_AUTO_TEST_CASE(a_replica_is_asked_as_long_as_it_has_what_the_primary_had_within_max_lag) {
    struct {
        char const* what;
        char const* had;
        Clock::duration ago;
        char const* has;
        char const* expected;
    } const cases[] = {
        {"all, now", "0-1-5", 0ms, "0-1-5", "r"},
        {"more, as of now", "0-1-5", 0ms, "0-1-6", "r"},
        {"all of a moment ago", "0-1-5", 500ms, "0-1-5", "r"},
        {"all of too long ago", "0-1-5", 1'100ms, "0-1-5", "p"},
        {"one less", "0-1-5", 0ms, "0-1-4", "p"},
    };
    for (auto const& [what, had, ago, has, expected] : cases) {
        Fixture two(patient, {"r", "p"});
        two.replica("r", "");
        two.primary("p", had, ago);
        if (ago > 0ms) two.primary("p", "0-1-9");
        two.replica("r", has);
        BOOST_TEST(two.chosen() == expected, what);
    }
}

BOOST_AUTO_TEST_CASE(who_does_not_follow_any_more_is_left_within_max_lag) {
    Fixture two({.max_lag = 1s}, {"r", "p"});
    two.primary("p", "0-1-5");
    two.replica("r", "0-1-5");
    BOOST_TEST(two.chosen() == "r");
    auto const end = Clock::now() + 30s;
    while (two.chosen() == "r" && Clock::now() < end) {
        std::this_thread::sleep_for(20ms);
        two.primary("p", "0-1-6");
        two.replica("r", "0-1-5"); // says that it is well
    }
    BOOST_TEST(two.chosen() == "p");
    BOOST_TEST(two.told == Names{"r left"}, boost::test_tools::per_element());
    two.replica("r", "0-1-6");
    BOOST_TEST(two.chosen() == "r");
    BOOST_TEST(two.told.back() == "r back");
}

BOOST_AUTO_TEST_CASE(without_a_primary_nobody_is_asked_or_anybody) {
    for (bool const serves : {false, true}) {
        Fixture two({.max_lag = 50ms, .serves_unconfirmed = serves}, {"r", "p"});
        two.primary("p", "0-1-5");
        two.replica("r", "0-1-5");
        two.hosts.fail(*two.host("p"), "is gone", true);
        std::this_thread::sleep_for(100ms); // what was confirmed is too old
        two.replica("r", "0-1-5");
        BOOST_TEST(two.chosen() == (serves ? "r" : ""));
        BOOST_TEST(!two.hosts.view().has_primary);
    }
}

BOOST_AUTO_TEST_CASE(what_a_lost_primary_had_besides_holds_nobody_up) {
    Fixture two(patient, {"r", "p"});
    two.primary("p", "0-1-9");
    two.replica("r", "0-1-5");
    two.hosts.fail(*two.host("p"), "is gone", true);
    BOOST_TEST(two.chosen() == "");
    two.replica("r", "0-1-5");
    BOOST_TEST(two.chosen() == "");
    two.primary("r", "0-1-5"); // it was promoted
    BOOST_TEST(two.chosen() == "r");
}

BOOST_AUTO_TEST_CASE(where_the_primary_names_no_transactions_it_alone_is_asked) {
    for (auto const* const has : {"", "0-1-5"}) {
        Fixture two(patient, {"r", "p"});
        two.replica("r", has);
        two.primary("p", "");
        two.replica("r", has);
        BOOST_TEST(two.chosen() == "p", '"' << has << '"');
        two.primary("p", "0-1-5");
        two.replica("r", "0-1-5");
        BOOST_TEST(two.chosen() == "r", '"' << has << '"');
    }
}

BOOST_AUTO_TEST_CASE(of_several_that_take_writes_each_has_to_have_what_the_others_have) {
    Fixture two(patient, {"a", "b"});
    two.primary("a", "0-1-5");
    two.primary("b", "0-1-7");
    BOOST_TEST(two.chosen() == "b");
    two.primary("a", "0-1-7");
    BOOST_TEST(two.chosen() == "a");
}

BOOST_AUTO_TEST_CASE(that_a_host_is_silent_is_reported_once) {
    Fixture two(patient, {"a", "b"});
    two.hosts.fail(*two.host("b"), "is gone", false);
    two.primary("a", "0-1-5");
    BOOST_TEST(two.hosts.is_well(*two.host("a")));
    two.told.clear();
    for (int i = 0; i < 3; ++i)
        two.hosts.fail(*two.host("a"), "does not answer", true);
    BOOST_TEST(two.lost == Names{"a"}, boost::test_tools::per_element());
    BOOST_TEST(!two.hosts.is_well(*two.host("a")));
    two.primary("a", "0-1-5");
    two.hosts.fail(*two.host("a"), "is not ready", false); // it said so
    BOOST_TEST(two.lost == Names{"a"}, boost::test_tools::per_element());
    BOOST_TEST(two.told == (Names{"a left", "a back", "a left"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_waits_gets_the_host_that_comes) {
    Fixture two(patient, {"a", "b"});
    two.hosts.fail(*two.host("a"), "is gone", true);
    std::thread coming([&] { two.primary("b", "0-1-5"); });
    auto const host = two.hosts.choose(Clock::now() + 10s);
    coming.join();
    BOOST_TEST_REQUIRE(host.has_value());
    BOOST_TEST((*host)->url().host == "b");
}

BOOST_AUTO_TEST_CASE(hosts_that_come_and_go_leave_the_others_as_they_are) {
    Fixture two(patient, {"a", "b"});
    two.replica("a", "");
    two.primary("b", "0-1-5");
    auto const before = two.host("b");
    auto const gone = two.host("a");
    two.hosts.replace(named({"b", "c"}));
    BOOST_TEST(two.host("b") == before);
    BOOST_TEST(two.hosts.is_gone(*gone));
    BOOST_TEST(!two.hosts.wait(*gone, Clock::now(), Clock::now() + 10s));
    BOOST_TEST(two.chosen() == "b");
    two.primary("c", "0-1-5");
    two.hosts.fail(*two.host("b"), "is gone", true);
    BOOST_TEST(two.chosen() == "c");
}

BOOST_AUTO_TEST_CASE(the_refusal_names_each_host_and_what_is_wrong_with_it) {
    Fixture two(patient, {"a", "b"});
    two.replica("b", "0-1-5");
    two.hosts.fail(*two.host("a"), "is gone", true);
    auto const none = two.hosts.choose(Clock::now());
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST(none.error().cause == "no database host may be used: a:3306 is gone; b:3306 is not "
                                     "known to have everything that the primary has");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(progress)

namespace {

using db::TransactionSet;

constexpr char const one[] = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

TransactionSet mariadb(std::string_view text) {
    return TransactionSet::of_mariadb(text).value();
}
TransactionSet mysql(std::string_view text) {
    return TransactionSet::of_mysql(text).value();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_server_includes_what_another_has_if_it_has_all_of_it) {
    std::string const uuid = one;
    struct {
        char const* what;
        TransactionSet its, others;
        bool expected;
    } const cases[] = {
        {"nothing", mariadb(""), mariadb(""), true},
        {"all of nothing", mariadb("0-1-5"), mariadb(""), true},
        {"none of something", mariadb(""), mariadb("0-1-1"), false},
        {"the same", mariadb("0-1-5"), mariadb("0-1-5"), true},
        {"one less", mariadb("0-1-4"), mariadb("0-1-5"), false},
        {"numbers of a domain whoever wrote them", mariadb("0-2-6"), mariadb("0-1-5"), true},
        {"not another domain", mariadb("1-1-9"), mariadb("0-1-5"), false},
        {"both domains", mariadb("0-1-5,1-7-12"), mariadb("1-7-12,0-1-5"), true},
        {"binlog and slave together", mariadb("0-1-5,0-2-9"), mariadb("0-1-9"), true},
        {"with an empty part", mariadb(",0-1-9"), mariadb("0-1-9"), true},
        {"a set", mysql(uuid + ":1-5"), mysql(uuid + ":1-5"), true},
        {"a gap", mysql(uuid + ":1-5:7"), mysql(uuid + ":1-7"), false},
        {"behind a gap", mysql(uuid + ":1-7"), mysql(uuid + ":1-5:7"), true},
        {"a gap that both have", mysql(uuid + ":1-5:7-9"), mysql(uuid + ":1-5:7-8"), true},
        {"sets in lines", mysql(uuid + ":1-5,\nab:1"), mysql("ab:1"), true},
        {"tags are sources", mysql(uuid + ":1-5:backup:1-3"), mysql(uuid + ":1-5:other:1"), false},
        {"of the same tag", mysql(uuid + ":1-5:backup:1-3"), mysql(uuid + ":backup:2"), true},
        {"further in a cluster", TransactionSet::of_galera(one, 7),
         TransactionSet::of_galera(one, 6), true},
        {"less far", TransactionSet::of_galera(one, 5), TransactionSet::of_galera(one, 6), false},
        {"another cluster", TransactionSet::of_galera("ab", 9), TransactionSet::of_galera(one, 6),
         false},
    };
    for (auto const& [what, its, others, expected] : cases)
        BOOST_TEST(its.includes(others) == expected, what);
}

BOOST_AUTO_TEST_CASE(what_two_have_is_what_both_have_together) {
    auto both = mysql("ab:1-5");
    both.add(mysql("ab:7,cd:1"));
    BOOST_TEST(both.includes(mysql("ab:1-5:7,cd:1")));
    BOOST_TEST(!both.includes(mysql("ab:6")));
}

BOOST_AUTO_TEST_CASE(what_is_no_set_of_transactions_is_none) {
    for (auto const* text : {"0-1", "0-1-x", "a", "0-1-1-1"})
        BOOST_TEST(!TransactionSet::of_mariadb(text), text);
    for (auto const* text : {"ab:", "ab:5-1", "ab:1-2-3", "ab:1-x", "ab:1:"})
        BOOST_TEST(!TransactionSet::of_mysql(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
