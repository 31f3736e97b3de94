#include "db/plan/read_plan.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(estimate)

namespace {

using db::Condition;
using db::ConditionKind;

// Conditions that follow so many relations, each in one of its own.
Condition paths(std::size_t count, std::size_t hops) {
    Condition all{.kind = ConditionKind::any_of};
    for (std::size_t i = 0; i < count; ++i) {
        Condition path{.kind = ConditionKind::comparison, .column = "title"};
        for (std::size_t hop = 0; hop < hops; ++hop)
            path = {.kind = ConditionKind::related, .members = {std::move(path)}};
        all.members.push_back(std::move(path));
    }
    return all;
}

struct Case {
    char const* what;
    db::ReadPlan plan;
    bool expensive;
};

db::ReadPlan plan_with(std::vector<Condition> filters, std::size_t sort_hops = 0) {
    db::ReadPlan plan;
    for (auto& where : filters)
        plan.nodes.push_back({.where = std::move(where)});
    if (sort_hops > 0)
        plan.nodes.back().sort = {
            {.hops = std::vector<db::SortColumn::Hop>(sort_hops), .column = "title"}};
    return plan;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_follows_many_relations_or_reads_many_tables_looks_expensive) {
    Case const table[] = {
        {"an entry", plan_with({{}}), false},
        {"a filter without relations", plan_with({paths(200, 0)}), false},
        {"a search in a few relations", plan_with({paths(6, 2)}), false},
        {"forty relations", plan_with({paths(10, 4)}), false},
        {"one more", plan_with({paths(41, 1)}), true},
        {"in one path", plan_with({paths(1, 41)}), true},
        {"by the filters of several nodes", plan_with({paths(10, 2), paths(21, 1)}), true},
        {"by a filter and a sort", plan_with({paths(10, 3)}, 11), true},
        {"two hundred tables", plan_with(std::vector<Condition>(200)), false},
        {"one more table", plan_with(std::vector<Condition>(201)), true},
    };
    for (auto const& row : table)
        BOOST_TEST(db::looks_expensive(row.plan) == row.expensive, row.what);
}

BOOST_AUTO_TEST_SUITE_END()
