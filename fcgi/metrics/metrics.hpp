#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/process/events.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// What is counted, a row for each metric: its name, and how its counts change, or where they are.
// Metrics of events are in event::table (fcgi/process/events.hpp).

namespace fcgi {

using Count = std::atomic<std::uint64_t>;

struct Metric {
    std::string_view name;
    MetricKind kind;
    std::string_view help;
    std::vector<std::string> labels = {""}; // `status="200"`; each has a count
    bool zeros = true;     // show also counts that are 0, and all buckets of a histogram
    std::size_t first = 0; // index of its first count
};

// A response that was sent.
struct Measured {
    ResponseSent const& sent;
    Response const& response;
    std::size_t type;  // index in the types of response_metrics()
    Trace const* work; // null: it shared the work of an equal request
};
struct ResponseMetric : Metric {
    void (*count)(Measured const& measured, Count* counts);
};
// `types` are the values of the label `type`.
std::vector<ResponseMetric> response_metrics(std::vector<std::string> const& types);

// Counts that the modules below keep themselves.
struct Usage {
    db::PoolUsage pool;
    db::ChangeLogUsage change_log;
    Count cache_bytes = 0; // of cache entries
};
struct UsageMetric : Metric {
    Count const& (*count)(Usage const& usage);
};
std::vector<UsageMetric> usage_metrics();

// The upper ends of a histogram's buckets, in seconds; longer times have a bucket as well.
inline constexpr double bucket_ends[] = {0.00001, 0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                         0.05,    0.1,    0.25,  0.5,    1,     2.5,  10};
inline constexpr std::size_t bucket_counts = std::size(bucket_ends) + 1;
inline constexpr std::size_t histogram_counts = bucket_counts + 1; // and the sum

// Any thread may use it.
class Metrics {
  public:
    // `types` are the UIDs by which responses are counted; others count as `other`.
    explicit Metrics(std::vector<std::string> types);
    Metrics(Metrics const&) = delete;
    Metrics& operator=(Metrics const&) = delete;

    void count(Event const& event);
    // Counts that others keep.
    Usage& usage() { return usage_; }

    // Returns all counts in Prometheus' text format 0.0.4.
    std::string text() const;

    std::chrono::system_clock::time_point started() const { return started_; }

  private:
    void count(ResponseSent const& sent);
    void count(Notice const& notice);
    void append(std::string& out, Metric const& metric) const;
    void append_histogram(std::string& out, Metric const& metric, std::size_t label) const;
    void append_events(std::string& out) const;
    void append_usage(std::string& out, UsageMetric const& metric) const;

    std::chrono::system_clock::time_point const started_ = std::chrono::system_clock::now();
    std::vector<std::string> types_; // sorted, then `other` and `none`
    std::vector<ResponseMetric> of_responses_;
    std::vector<UsageMetric> of_usage_;
    std::vector<Count> counts_; // of responses
    std::array<Count, std::size(event::table)> event_counts_{};
    Usage usage_;
};

} // namespace fcgi
