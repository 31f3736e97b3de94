#pragma once

#include "db/execute.hpp"
#include "db/select/select.hpp"
#include "db/time_pairs.hpp"
#include "fcgi/http/cost.hpp"

#include <chrono>

namespace fcgi {

// How long the database took for plans of a shape, whatever values they had: what tells the cost of
// the next. Any thread.
class PlanCosts {
  public:
    using Time = db::TimePairs::Time;

    static constexpr Time dear_from = std::chrono::milliseconds(100);

    // Dear is what is never quick. What is slow on average but quick at times is unknown: some of
    // its values may be dear, or the database had too much to do, and then it must not be kept from
    // showing that it is cheap. So is what looks dear and was quick.
    Cost of(db::SelectedPlan const& plan) const;

    // What the statements took. Of a plan that was not read to its end only slow times say
    // something.
    void add(db::SelectedPlan const& plan, Time time, bool whole);

  private:
    db::TimePairs times_; // of a shape: its quick one and its average
};

} // namespace fcgi
