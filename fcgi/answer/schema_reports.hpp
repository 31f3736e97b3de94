#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/cache/freshness.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace fcgi {

// Reports what an operator should know about the schema and its tables, each time that it becomes
// another. Options and observer outlive it. Any thread.
class SchemaReports {
  public:
    SchemaReports(Options const& options, Observer const& observe)
        : options_(options), observe_(observe) {}

    // The project's release is newer than those that are known.
    void report_release(db::Schema const& schema);
    // The database lacks tables or columns.
    void report_lacks(db::Schema const& schema);
    // Some of the indexes that should exist are gone. A CMS may drop them when it starts.
    void report_indexes(db::Connection& connection, Freshness const& fresh);
    // The next report_indexes() looks, however recently that was done.
    void look_again();

  private:
    Options const& options_;
    Observer const& observe_;
    std::mutex mutex_; // guards all members below, which are as the last event reported them
    bool release_is_unknown_ = false;
    std::vector<db::Lack> lacks_;
    std::string indexes_;
    std::optional<std::chrono::steady_clock::time_point> looked_at_indexes_;
};

} // namespace fcgi
