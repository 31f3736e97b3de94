#include "fcgi/answer/plan_costs.hpp"

#include <algorithm>
#include <cstdint>

namespace fcgi {

namespace {

constexpr std::uint64_t expensive_units = db::TimePairs::units(PlanCosts::expensive_from);

// Returns a value an eighth of the way from `from` to `to`, rounded away from `from`.
std::uint64_t nearer(std::uint64_t from, std::uint64_t to) {
    return to < from ? from - (from - to + 7) / 8 : from + (to - from + 7) / 8;
}

// Content grows, so that what was quick may never be again: each slow time raises the quick time a
// little, so that some eighty of them lead from a millisecond to a hundred.
std::uint64_t quicker(std::uint64_t before, std::uint64_t now) {
    return std::min(now, before + (before + 15) / 16);
}

} // namespace

Cost PlanCosts::of(db::SelectedPlan const& plan) const {
    auto const [quick, average] = times_.of(plan.shape);
    if (quick == 0) return plan.looks_expensive ? Cost::expensive : Cost::unknown;
    if (quick >= expensive_units) return Cost::expensive;
    return average >= expensive_units || plan.looks_expensive ? Cost::unknown : Cost::cheap;
}

void PlanCosts::add(db::SelectedPlan const& plan, Time time, bool whole) {
    auto const [quick, average] = times_.of(plan.shape);
    auto const now = db::TimePairs::units(time);
    if (!whole && now < std::max(average, expensive_units)) return;
    if (quick == 0)
        times_.store(plan.shape, {now, now});
    else
        times_.store(plan.shape, {quicker(quick, now), nearer(average, now)});
}

} // namespace fcgi
