#pragma once

#include "db/execute.hpp"
#include "db/select/select.hpp"
#include "fcgi/http/cost.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace fcgi {

// How long the database took for plans of a shape, whatever values they had: what tells the cost of
// the next. Of a fixed size: a shape may push out another, which is unknown from then on. Any
// thread.
class PlanCosts {
  public:
    using Time = std::chrono::nanoseconds;

    static constexpr Time dear_from = std::chrono::milliseconds(100);

    // Dear is what is never quick. What is slow on average but quick at times is unknown: some of
    // its values may be dear, or the database had too much to do, and then it must not be kept from
    // showing that it is cheap. So is what looks dear and was quick.
    Cost of(db::SelectedPlan const& plan) const;

    // What the statements took. Of a plan that was not read to its end only slow times say
    // something.
    void add(db::SelectedPlan const& plan, Time time, bool whole);

  private:
    // From the highest bits on: 24 of the shape, then 20 each of its quick and its average time. 0:
    // nothing.
    using Entry = std::uint64_t;

    std::array<std::atomic<Entry>, 4'096> entries_{};
};

} // namespace fcgi
