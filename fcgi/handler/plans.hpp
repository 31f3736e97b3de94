#pragma once

#include "db/plan/read_plan.hpp"
#include "db/read/execute.hpp"
#include "db/read/select.hpp"
#include "db/read/statistics.hpp"
#include "db/schema/permissions.hpp"
#include "fcgi/http/http.hpp"
#include "parser/base/client_hash.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

// What is known of the plans of earlier requests.

namespace fcgi {

// Identifies content: a raw path and query, as a caller with these very permissions asks for them
// in a format. Whoever stores something by it holds the permissions too, so that no others can get
// their address.
struct ContentKey {
    std::shared_ptr<db::Permissions const> const& permissions;
    std::string_view path;
    std::string_view query;
    db::ReadPlan::Format document_format;

    // Returns the key with room for `more` bytes behind it.
    std::string text(std::size_t more = 0) const;
};

// Holds plans of earlier requests by the bytes that they were bound from, so that a request that
// came before is not parsed, read and bound again. Lives as long as the schema and the options that
// the plans were bound with. Any thread.
class PlanCache {
  public:
    using Plan = std::shared_ptr<db::SelectedPlan const>;

    Plan find(ContentKey const& key) const; // null: not there
    void store(ContentKey const& key, Plan plan);

  private:
    // With each plan its permissions are held, so that no others can get the same address.
    using Entry = std::pair<Plan, std::shared_ptr<db::Permissions const>>;
    using Entries = std::unordered_map<std::string, Entry, parser::ClientHash>;

    mutable std::mutex mutex_;
    Entries entries_;
    std::size_t bytes_ = 0; // about what the entries take
};

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
