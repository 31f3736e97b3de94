#pragma once

#include "db/read/execute.hpp"
#include "db/read/select.hpp"
#include "db/read/time_pairs.hpp"
#include "fcgi/http/http.hpp"

#include <chrono>

namespace fcgi {

// Records how long the database took for plans of a shape, whatever values they had, which predicts
// the cost of the next one. Any thread.
class PlanCosts {
  public:
    using Time = db::TimePairs::Time;

    static constexpr Time expensive_from = std::chrono::milliseconds(100);

    // A plan that is never quick is expensive. One that is slow on average but quick at times is
    // unknown: some of its values may be expensive, or the database was overloaded, and then the
    // plan must be able to show that it is cheap. One that looks expensive and was quick is unknown
    // too.
    Cost of(db::SelectedPlan const& plan) const;

    // Adds the time that the statements took. If the plan was not read to its end, only slow times
    // say something.
    void add(db::SelectedPlan const& plan, Time time, bool whole);

  private:
    db::TimePairs times_; // of each shape: the quick time and the average
};

} // namespace fcgi
