#include "fcgi/answer/plan_costs.hpp"

#include <algorithm>

namespace fcgi {

namespace {

constexpr unsigned time_bits = 20;
constexpr std::int64_t longest = (1 << time_bits) - 1;
constexpr auto unit = std::chrono::microseconds(64); // so up to 67 s fit

// In units, at least one where they are known.
struct Times {
    std::int64_t quick = 0;
    std::int64_t average = 0;
};

constexpr std::uint64_t tag_of(std::uint64_t shape) {
    return shape >> (2 * time_bits) << (2 * time_bits);
}

Times times_in(std::uint64_t entry, std::uint64_t shape) {
    if (tag_of(entry) != tag_of(shape)) return {};
    return {static_cast<std::int64_t>(entry >> time_bits) & longest,
            static_cast<std::int64_t>(entry) & longest};
}

std::int64_t units(PlanCosts::Time time) {
    return std::clamp<std::int64_t>((time + unit - PlanCosts::Time(1)) / unit, 1, longest);
}

constexpr std::int64_t dear_units = PlanCosts::dear_from / unit;

// An eighth of the way from `from` to `to`, rounded away from `from`.
std::int64_t nearer(std::int64_t from, std::int64_t to) {
    return to < from ? from - (from - to + 7) / 8 : from + (to - from + 7) / 8;
}

// Content grows, so that what was quick may never be again: each slow time lets it be a little
// slower, so that some ninety of them lead from a millisecond to a hundred.
std::int64_t quicker(std::int64_t before, std::int64_t now) {
    return std::min(now, before + (before + 15) / 16);
}

} // namespace

Cost PlanCosts::of(db::SelectedPlan const& plan) const {
    auto const& entry = entries_[plan.shape % entries_.size()];
    auto const [quick, average] = times_in(entry.load(std::memory_order_relaxed), plan.shape);
    if (quick == 0) return plan.looks_dear ? Cost::dear : Cost::unknown;
    if (quick >= dear_units) return Cost::dear;
    return average >= dear_units || plan.looks_dear ? Cost::unknown : Cost::cheap;
}

void PlanCosts::add(db::SelectedPlan const& plan, Time time, bool whole) {
    auto& entry = entries_[plan.shape % entries_.size()];
    auto times = times_in(entry.load(std::memory_order_relaxed), plan.shape);
    auto const now = units(time);
    if (!whole && now < std::max(times.average, dear_units)) return;
    if (times.quick == 0)
        times = {now, now};
    else
        times = {quicker(times.quick, now), nearer(times.average, now)};
    entry.store(tag_of(plan.shape) | static_cast<std::uint64_t>(times.quick) << time_bits |
                    static_cast<std::uint64_t>(times.average),
                std::memory_order_relaxed);
}

} // namespace fcgi
