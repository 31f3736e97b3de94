#pragma once

#include "fcgi/events/events.hpp"
#include "fcgi/observation/metric_table.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

namespace fcgi {

// Counts for all processes that are forked from the one that makes this: the counts are in memory
// that they share, so that any of them can report all. Each process counts in a part of its own,
// which it takes over from one that has ended, so that no count ever goes back. Any thread may use
// it.
class Metrics {
  public:
    // `types` are the UIDs by which responses are counted; others count as `other`. Throws
    // std::bad_alloc. The memory is never given back.
    Metrics(std::size_t processes, std::vector<std::string> types);
    Metrics(Metrics const&) = delete;
    Metrics& operator=(Metrics const&) = delete;

    // Must be called by each process before it counts.
    void join();

    void count(Event const& event);
    db::PoolUsage& pool();
    db::ChangeLogUsage& change_log();
    std::atomic<std::uint64_t>& cache_bytes(); // bytes of cache entries

    // Returns all counts in Prometheus' text format 0.0.4.
    std::string text() const;

    // Returns the process that made this, which may be the one that counts, and all others that
    // count now.
    std::vector<pid_t> processes() const;
    std::chrono::system_clock::time_point started() const { return started_; }

  private:
    // It is in shared memory, and its counts follow it.
    struct Part {
        std::atomic<pid_t> process = 0; // the one that counts here; 0: none yet
        Usage usage;
    };

    void place(Metric& metric);
    void count(event::Answered const& answered);
    void append(std::string& out, Metric const& metric) const;
    void append_histogram(std::string& out, Metric const& metric, std::size_t label) const;
    void append_usage(std::string& out, UsageMetric const& metric) const;
    void append_processes(std::string& out) const;
    Part& part(std::size_t index) const;
    Count* counts(std::size_t part, Metric const& metric) const;
    // Returns the value of all processes that a metric of this kind is about; `count_of` returns
    // the count of a part.
    std::uint64_t value(MetricKind kind, auto const& count_of) const;
    std::uint64_t value(Metric const& metric, std::size_t index) const;

    pid_t const maker_;
    std::chrono::system_clock::time_point const started_ = std::chrono::system_clock::now();
    std::vector<std::string> types_; // sorted, then `other` and `none`
    std::vector<ResponseMetric> of_responses_;
    std::vector<EventMetric> of_events_;
    std::vector<UsageMetric> of_usage_;
    std::size_t counts_ = 0; // of a part
    std::size_t parts_;
    char* memory_ = nullptr;
    std::size_t mine_ = 0; // the part of this process
};

} // namespace fcgi
