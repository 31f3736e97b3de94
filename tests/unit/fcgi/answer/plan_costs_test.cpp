#include "fcgi/answer/plan_costs.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <ostream>
#include <vector>

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
