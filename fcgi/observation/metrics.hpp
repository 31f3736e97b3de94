#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/http/stage_times.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
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
    using Count = std::atomic<std::uint64_t>;

    // A metric of one name. It has a count for each of its labels; a histogram has for each of them
    // a count per bucket, and the sum in nanoseconds.
    struct Family {
        std::string_view name;
        std::string_view type; // counter, gauge, histogram
        std::string_view help;
        std::vector<std::string> labels = {""}; // `status="200"`
        bool zeros = true;     // show also zero counts, and all buckets of a histogram
        std::size_t first = 0; // index of its first count
    };
    // It is in shared memory, and its counts follow it.
    struct Part {
        std::atomic<pid_t> process = 0; // the one that counts here; 0: none yet
        db::PoolUsage pool;
        db::ChangeLogUsage change_log;
        Count cache_bytes = 0;
        Count lacks = 0; // what the database lacks of its schema
        Count missing_indexes = 0;
        Count unknown_release = 0; // 1: the release of the CMS is unknown
    };

    void count(event::Answered const& answered);
    std::size_t add(Family family);
    void add_families();
    void observe(std::size_t histogram, std::size_t label, StageTimes::Duration time);
    void append(std::string& out, Family const& family) const;
    void append_times(std::string& out) const;
    // `count_of_index` returns each count of the histogram with these labels.
    void append_histogram(std::string& out, Family const& family, std::string const& labels,
                          auto const& count_of_index) const;
    void append_pool(std::string& out) const;
    void append_cache(std::string& out) const;
    // Returns the sum over all parts, or over those of processes that run now.
    std::uint64_t total(auto const& count, bool of_now) const;
    void append_lacks(std::string& out) const;
    Part& part(std::size_t index) const;
    Count& count_of(std::size_t part, std::size_t index) const;
    Count& mine(std::size_t index) const { return count_of(mine_, index); }
    // Returns the sum over all processes, or over those that run now.
    std::uint64_t sum(std::size_t index, bool of_now = false) const;

    pid_t const maker_;
    std::chrono::system_clock::time_point const started_ = std::chrono::system_clock::now();
    std::vector<std::string> types_; // sorted, then `other` and `none`
    std::vector<Family> families_;
    // The index of the first count of each metric.
    std::size_t requests_ = 0, shared_ = 0, costs_ = 0, unavailable_ = 0, bytes_ = 0,
                statements_ = 0, forms_ = 0, rows_ = 0, plans_ = 0, refusals_ = 0, lines_ = 0,
                times_ = 0, stages_ = 0, caches_ = 0, reloads_ = 0, outdated_ = 0, cut_offs_ = 0,
                sending_ = 0, sending_bytes_ = 0, unread_ = 0, accept_failures_ = 0,
                idle_closes_ = 0, refused_hosts_ = 0, left_hosts_ = 0, process_ends_ = 0;
    std::size_t counts_ = 0; // of a part
    std::size_t parts_;
    char* memory_ = nullptr;
    std::size_t mine_ = 0; // the part of this process
};

} // namespace fcgi
