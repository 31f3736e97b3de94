#include "fcgi/answer/plan_cache.hpp"

#include <boost/test/unit_test.hpp>

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
    PlanCache::Permissions one = std::make_shared<db::Permissions const>();
    PlanCache::Permissions other = std::make_shared<db::Permissions const>();
    PlanCache cache;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(plan_cache, PlanCacheFixture)

BOOST_AUTO_TEST_CASE(a_plan_is_found_by_the_very_bytes_and_permissions_it_was_kept_for) {
    auto const plan = plan_of(1);
    cache.keep({one, "/api/articles", "sort=id", flat}, plan);
    struct {
        PlanCache::Permissions permissions;
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
        cache.keep({one, "/api/articles", query, flat}, plan);
        BOOST_TEST_REQUIRE((cache.find({one, "/api/articles", query, flat}) == plan));
    }
    BOOST_TEST(first.expired());
}

BOOST_AUTO_TEST_SUITE_END()
