#include "fcgi/notify/outboxes.hpp"

#include "tests/unit/fcgi/http/stand_in.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(delivery, *boost::unit_test::label("waits"))

namespace {

using fcgi::notify::ChangeBatch;
using fcgi::notify::Outboxes;
using fcgi::notify::OutboxSettings;
using fcgi::notify::Target;
using stand_in::eventually;
using stand_in::StandIn;
using Mode = StandIn::Mode;
using Names = std::vector<std::string>;
using namespace std::chrono_literals;

constexpr OutboxSettings quick{.first_pause = 1ms, .longest_pause = 20ms, .second_time = 20ms};
constexpr OutboxSettings once{.first_pause = 1ms, .longest_pause = 20ms, .second_time = 24h};

std::vector<Target> varnish_at(std::initializer_list<StandIn const*> servers) {
    std::vector<Target> targets;
    for (auto const* server : servers)
        targets.push_back(
            *Target::read("varnish=http://" + server->address() + '/', {.site = "SITE"}));
    return targets;
}

void ignore(std::string const&, std::string const&) {
}

// The names of each request, joined.
Names received(StandIn const& server, bool acknowledged_only = false) {
    Names names;
    for (auto const& request : server.received())
        if (request.acknowledged || !acknowledged_only)
            names.push_back(request.headers.at("xkey-purge"));
    return names;
}

// The names that were acknowledged, in the order in which they first were.
Names told(StandIn const& server) {
    Names names;
    for (auto const& joined : received(server, true)) {
        std::istringstream words(joined);
        for (std::string name; words >> name;)
            if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
    return names;
}

bool is_told(StandIn const& server, Names const& names) {
    return eventually([&] { return told(server) == names; });
}

} // namespace

BOOST_AUTO_TEST_CASE(names_are_sent_at_once_and_again_and_are_delivered_then) {
    StandIn server;
    Outboxes delivery(varnish_at({&server}), ignore, quick);
    BOOST_TEST(delivery.delivered() == 0);
    delivery.add({.names = {"a", "b"}, .position = 7});
    BOOST_TEST(eventually([&] { return delivery.delivered() == 7; }));
    BOOST_TEST(received(server) == Names({"a b", "a b"}), boost::test_tools::per_element());
    auto const counts = delivery.counts().at(0);
    BOOST_TEST(counts.target == "varnish " + server.address());
    BOOST_TEST(counts.sent == 2);
    BOOST_TEST(counts.failed == 0);
    BOOST_TEST(counts.queued == 0);
    BOOST_TEST(counts.lag.count() == 0);
}

BOOST_AUTO_TEST_CASE(what_was_sent_once_is_not_delivered) {
    StandIn server;
    Outboxes delivery(varnish_at({&server}), ignore, once);
    delivery.add({.names = {"a"}, .position = 7});
    BOOST_TEST(eventually([&] { return delivery.counts()[0].sent == 1; }));
    BOOST_TEST(delivery.delivered() == 0);
}

BOOST_AUTO_TEST_CASE(batches_that_come_while_a_request_is_in_flight_go_together) {
    StandIn server({.mode = Mode::holds});
    Outboxes delivery(varnish_at({&server}), ignore, once);
    delivery.add({.names = {"a"}});
    BOOST_TEST(eventually([&] { return server.received().size() == 1; }));
    delivery.add({.names = {"c", "d"}});
    delivery.add({.names = {"b", "c"}});
    BOOST_TEST(delivery.counts()[0].queued == 4);
    server.set({});
    BOOST_TEST(is_told(server, {"a", "b", "c", "d"}));
    BOOST_TEST(received(server) == Names({"a", "b c d"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_target_that_fails_gets_everything_in_order_and_delays_no_other) {
    std::pair<char const*, StandIn::Behaviour> const cases[] = {
        {"500", {.status = 500}},
        {"429", {.status = 429}},
        {"redirect", {.status = 302, .location = "http://127.0.0.1:1/"}},
        {"hanging", {.mode = Mode::hangs}},
        {"half an answer", {.mode = Mode::responds_half}},
        {"closed connections", {.mode = Mode::closes}},
        {"too large an answer", {.body = std::string(100'000, 'x')}},
    };
    for (auto const& [fault, behaviour] : cases)
        BOOST_TEST_CONTEXT(fault) {
            auto settings = quick;
            settings.limits.exchange = 200ms;
            StandIn faulty(behaviour);
            StandIn sound;
            std::mutex mutex;
            Names reports;
            Outboxes delivery(
                varnish_at({&faulty, &sound}),
                [&](std::string const& target, std::string const& why) {
                    std::lock_guard const lock(mutex);
                    if (target.ends_with(faulty.address()))
                        reports.push_back(why.empty() ? "works" : "fails");
                },
                settings);
            delivery.add({.names = {"a"}, .position = 1});
            BOOST_TEST(eventually([&] { return delivery.counts()[0].failed >= 2; }));
            delivery.add({.names = {"b"}, .position = 2});
            BOOST_TEST(is_told(sound, {"a", "b"}));
            BOOST_TEST(delivery.delivered() == 0);
            faulty.set({});
            BOOST_TEST(eventually([&] { return delivery.delivered() == 2; }));
            BOOST_TEST(told(faulty) == Names({"a", "b"}), boost::test_tools::per_element());
            std::lock_guard const lock(mutex);
            BOOST_TEST_REQUIRE(reports.size() >= 2);
            BOOST_TEST(reports.front() == "fails");
            BOOST_TEST(reports.back() == "works");
        }
}

BOOST_AUTO_TEST_CASE(a_slow_target_delays_no_other) {
    StandIn slow({.mode = Mode::holds});
    StandIn sound;
    Outboxes delivery(varnish_at({&slow, &sound}), ignore, once);
    Names names;
    for (std::string const name : {"a", "b", "c", "d"}) {
        names.push_back(name);
        delivery.add({.names = {name}});
        BOOST_TEST(is_told(sound, names));
    }
    BOOST_TEST(told(slow).empty());
    slow.set({});
    BOOST_TEST(is_told(slow, names));
}

BOOST_AUTO_TEST_CASE(a_target_that_restarts_misses_nothing) {
    auto server = std::make_unique<StandIn>();
    auto const port = server->port();
    Outboxes delivery(varnish_at({server.get()}), ignore, quick);
    std::uint64_t position = 0;
    for (std::string const name : {"a", "b", "c"}) {
        server.reset();
        delivery.add({.names = {name}, .position = ++position});
        auto const failed = delivery.counts()[0].failed;
        BOOST_TEST(eventually([&] { return delivery.counts()[0].failed > failed; }));
        server = std::make_unique<StandIn>(StandIn::Behaviour(), port);
        BOOST_TEST(is_told(*server, {name}));
        BOOST_TEST(eventually([&] { return delivery.delivered() == position; }));
    }
}

BOOST_AUTO_TEST_CASE(more_than_may_wait_becomes_the_site) {
    struct {
        char const* what;
        ChangeBatch batch; // of which two are too many
    } const cases[] = {
        {"names", {.names = {"x", "y"}, .position = 9}},
        {"documents", {.documents = {{"t", "x"}, {"t", "y"}}, .position = 9}},
    };
    for (auto const& [what, batch] : cases)
        BOOST_TEST_CONTEXT(what) {
            StandIn server({.status = 503});
            auto settings = quick;
            settings.most_names = 3;
            Outboxes delivery(varnish_at({&server}), ignore, settings);
            delivery.add({.names = {"a"}, .position = 1});
            BOOST_TEST(eventually([&] { return delivery.counts()[0].failed > 0; }));
            for (int i = 0; i < 3; ++i) {
                auto other = batch;
                for (auto& name : other.names)
                    name += std::to_string(i);
                for (auto& document : other.documents)
                    document.document += std::to_string(i);
                delivery.add(other);
            }
            BOOST_TEST(delivery.counts()[0].queued == 2);
            server.set({});
            BOOST_TEST(eventually([&] { return delivery.delivered() == 9; }));
            BOOST_TEST(told(server) == Names({"a", "SITE"}), boost::test_tools::per_element());
        }
}

BOOST_AUTO_TEST_CASE(the_site_is_instead_of_names) {
    StandIn server({.mode = Mode::holds});
    Outboxes delivery(varnish_at({&server}), ignore, once);
    delivery.add({.names = {"a"}});
    BOOST_TEST(eventually([&] { return server.received().size() == 1; }));
    delivery.add({.names = {"b"}});
    delivery.add({.site = true});
    delivery.add({.names = {"c"}});
    server.set({});
    BOOST_TEST(is_told(server, {"a", "SITE"}));
}

BOOST_AUTO_TEST_CASE(names_of_several_requests_arrive_although_some_of_these_fail) {
    Names names;
    for (int i = 0; i < 1000; ++i)
        names.push_back("n" + std::to_string(1000 + i));
    StandIn server({.mode = Mode::holds});
    Outboxes delivery(varnish_at({&server}), ignore, quick);
    delivery.add({.names = names, .position = 5});
    BOOST_TEST(eventually([&] { return server.received().size() == 1; }));
    server.set({.status = 500});
    BOOST_TEST(eventually([&] { return delivery.counts()[0].failed >= 2; }));
    server.set({});
    BOOST_TEST(eventually([&] { return delivery.delivered() == 5; }));
    BOOST_TEST(told(server) == names, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(positions_without_names_are_delivered_in_their_order) {
    StandIn server;
    {
        Outboxes delivery(varnish_at({&server}), ignore, once);
        delivery.add({.position = 5});
        BOOST_TEST(eventually([&] { return delivery.delivered() == 5; }));
        delivery.add({.names = {"a"}, .position = 6});
        BOOST_TEST(is_told(server, {"a"}));
        delivery.add({.position = 7});
        BOOST_TEST(eventually([&] { return delivery.counts()[0].lag == 0ms; }));
        BOOST_TEST(delivery.delivered() == 5);
    }
    Outboxes delivery(varnish_at({&server}), ignore, quick);
    delivery.add({.names = {"b"}, .position = 6});
    delivery.add({.position = 7});
    BOOST_TEST(eventually([&] { return delivery.delivered() == 7; }));
}

// As when the binlog was reset.
BOOST_AUTO_TEST_CASE(a_position_may_be_less_than_the_one_before) {
    StandIn sound;
    StandIn server({.status = 500});
    Outboxes delivery(varnish_at({&sound, &server}), ignore, quick);
    delivery.add({.names = {"a"}, .position = 5000});
    delivery.add({.names = {"b"}, .position = 100});
    auto const has_b = [](std::string const& names) { return names.ends_with('b'); };
    BOOST_TEST(eventually([&] { return std::ranges::count_if(received(sound), has_b) == 2; }));
    BOOST_TEST(eventually([&] { return delivery.counts()[0].queued == 0; }));
    BOOST_TEST(delivery.delivered() == 0);
    server.set({});
    BOOST_TEST(eventually([&] { return delivery.delivered() == 100; }));
}

BOOST_AUTO_TEST_CASE(many_batches_that_wait_take_bounded_memory_and_are_delivered) {
    StandIn server({.status = 500});
    Outboxes delivery(varnish_at({&server}), ignore, quick);
    for (std::uint64_t position = 1; position <= 50'000; ++position)
        delivery.add({.names = {"n" + std::to_string(position % 100)}, .position = position});
    server.set({});
    BOOST_TEST(eventually([&] { return delivery.delivered() == 50'000; }));
}

BOOST_AUTO_TEST_CASE(without_targets_everything_is_delivered) {
    Outboxes delivery({}, ignore);
    delivery.add({.names = {"a"}, .position = 3});
    BOOST_TEST(delivery.delivered() == 3);
}

BOOST_AUTO_TEST_CASE(it_ends_soon_whatever_targets_do) {
    struct {
        char const* what;
        StandIn::Behaviour behaviour;
        bool fails; // and it waits until the next attempt
    } const cases[] = {
        {"hangs", {.mode = Mode::hangs}, false},
        {"fails", {.status = 500}, true},
        {"works", {}, false},
    };
    for (auto const& [what, behaviour, fails] : cases)
        BOOST_TEST_CONTEXT(what) {
            StandIn server(behaviour);
            auto settings = once;
            settings.first_pause = settings.longest_pause = settings.limits.exchange = 1h;
            auto delivery = std::make_unique<Outboxes>(varnish_at({&server}), ignore, settings);
            delivery->add({.names = {"a"}});
            BOOST_TEST(eventually([&] {
                return server.received().size() == 1 &&
                       (!fails || delivery->counts()[0].failed == 1);
            }));
            auto const begin = std::chrono::steady_clock::now();
            delivery.reset();
            BOOST_TEST((std::chrono::steady_clock::now() - begin < 20s));
        }
}

BOOST_AUTO_TEST_SUITE_END()
