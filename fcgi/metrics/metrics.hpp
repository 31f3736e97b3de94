#pragma once

#include "fcgi/metrics/metric_table.hpp"
#include "fcgi/process/events.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace fcgi {

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
