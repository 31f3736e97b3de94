#include "fcgi/handler/plans.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <ostream>
#include <vector>

namespace {

using enum db::ReadPlan::Format;
using fcgi::PlanCache;

PlanCache::Plan plan_of(std::size_t nodes) {
    db::SelectedPlan plan;
    plan.nodes.resize(nodes);
    plan.statements.nodes.resize(nodes);
    return std::make_shared<db::SelectedPlan const>(std::move(plan));
}

struct PlanCacheFixture {
    std::shared_ptr<db::Permissions const> one = std::make_shared<db::Permissions const>();
    std::shared_ptr<db::Permissions const> other = std::make_shared<db::Permissions const>();
    PlanCache cache;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(plan_cache, PlanCacheFixture)

BOOST_AUTO_TEST_CASE(a_plan_is_found_by_the_very_bytes_and_permissions_it_was_cached_for) {
    auto const plan = plan_of(1);
    cache.store({one, "/api/articles", "sort=id", flat}, plan);
    struct {
        std::shared_ptr<db::Permissions const> permissions;
        std::string_view path;
        std::string_view query;
        db::ReadPlan::Format format;
        bool found;
    } const table[] = {
        {one, "/api/articles", "sort=id", flat, true},
        {other, "/api/articles", "sort=id", flat, false}, // equal, but another caller's
        {one, "/api/Articles", "sort=id", flat, false},
        {one, "/api/articles", "sort=%69d", flat, false},
        {one, "/api/articles", "", flat, false},
        {one, "/api/articles?sort=id", "", flat, false},
        {one, "/api/articles", "sort=id", documents, false},
    };
    for (auto const& row : table)
        BOOST_TEST((cache.find({row.permissions, row.path, row.query, row.format}) == plan) ==
                       row.found,
                   row.path << " " << row.query);
}

BOOST_AUTO_TEST_CASE(what_it_holds_is_bounded_whatever_is_asked) {
    std::weak_ptr<db::SelectedPlan const> first;
    for (int i = 0; i < 20'000; ++i) {
        auto const plan = plan_of(10);
        if (i == 0) first = plan;
        auto const query = std::to_string(i);
        cache.store({one, "/api/articles", query, flat}, plan);
        BOOST_TEST_REQUIRE((cache.find({one, "/api/articles", query, flat}) == plan));
    }
    BOOST_TEST(first.expired());
}

BOOST_AUTO_TEST_SUITE_END()

namespace fcgi {

static std::ostream& operator<<(std::ostream& out, Cost cost) {
    return out << name_of(cost);
}

} // namespace fcgi

namespace {

using namespace std::chrono_literals;
using fcgi::Cost;
using fcgi::PlanCosts;
using Times = std::vector<std::chrono::milliseconds>;

db::SelectedPlan plan_of_entry(std::uint64_t shape, bool looks_expensive = false) {
    db::SelectedPlan plan;
    plan.shape = shape;
    plan.looks_expensive = looks_expensive;
    return plan;
}

struct PlanCostsFixture {
    std::unique_ptr<PlanCosts> const costs = std::make_unique<PlanCosts>();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(plan_costs, PlanCostsFixture)

BOOST_AUTO_TEST_CASE(the_cost_of_the_next_is_told_by_the_times_of_those_before) {
    struct {
        char const* what;
        Times times;
        Cost usual;            // of a plan that looks as plans do
        Cost looked_expensive; // of one that looks expensive
    } const table[] = {
        {"never read", {}, Cost::unknown, Cost::expensive},
        {"quick", {1ms}, Cost::cheap, Cost::unknown},
        {"just quick enough", {99ms, 99ms}, Cost::cheap, Cost::unknown},
        {"too slow by a bit", {101ms}, Cost::expensive, Cost::expensive},
        {"longer than is counted", {200'000ms}, Cost::expensive, Cost::expensive},
        {"slow once", {1ms, 500ms}, Cost::cheap, Cost::unknown},
        {"slow the first time", {500ms, 1ms}, Cost::unknown, Cost::unknown},
        {"quick and slow by turns", {1ms, 2'000ms, 1ms, 2'000ms}, Cost::unknown, Cost::unknown},
    };
    std::uint64_t shape = 0x12345678'9ABCDEF0;
    for (auto const& row : table) {
        auto const usual = plan_of_entry(++shape);
        auto const looked_expensive = plan_of_entry(++shape, true);
        for (auto const time : row.times)
            for (auto const* plan : {&usual, &looked_expensive})
                costs->add(*plan, time, true);
        BOOST_TEST(costs->of(usual) == row.usual, row.what);
        BOOST_TEST(costs->of(looked_expensive) == row.looked_expensive, row.what);
    }
}

BOOST_AUTO_TEST_CASE(what_becomes_slow_becomes_expensive_and_what_becomes_quick_cheap_again) {
    auto const plan = plan_of_entry(1);
    costs->add(plan, 1ms, true);
    for (int i = 0; i < 10; ++i)
        costs->add(plan, 1s, true);
    BOOST_TEST(costs->of(plan) == Cost::unknown);
    for (int i = 0; i < 1'000; ++i)
        costs->add(plan, 1s, true);
    BOOST_TEST(costs->of(plan) == Cost::expensive);
    for (int i = 0; i < 50; ++i)
        costs->add(plan, 1ms, true);
    BOOST_TEST(costs->of(plan) == Cost::cheap);
}

BOOST_AUTO_TEST_CASE(what_was_not_read_to_its_end_says_something_only_where_it_took_long) {
    auto const plan = plan_of_entry(1);
    costs->add(plan, 1ms, false);
    BOOST_TEST(costs->of(plan) == Cost::unknown);
    costs->add(plan, 2s, false);
    BOOST_TEST(costs->of(plan) == Cost::expensive);
    costs->add(plan, 1ms, false);
    BOOST_TEST(costs->of(plan) == Cost::expensive);
}

BOOST_AUTO_TEST_CASE(shapes_are_told_apart_where_they_share_a_place) {
    auto const one = plan_of_entry(1);
    auto const other = plan_of_entry(1 | std::uint64_t{1} << 63);
    costs->add(one, 1ms, true);
    BOOST_TEST(costs->of(other) == Cost::unknown);
    costs->add(other, 1s, true);
    BOOST_TEST(costs->of(other) == Cost::expensive);
    BOOST_TEST(costs->of(one) == Cost::unknown); // pushed out
}

BOOST_AUTO_TEST_SUITE_END()
