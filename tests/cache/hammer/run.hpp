#pragma once

#include "content.hpp"
#include "ledger.hpp"
#include "options.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <string>

// The threads of a run share these.

namespace hammer {

// How long a network is lost.
inline constexpr std::chrono::milliseconds shortest_outage{8'000}, longest_outage{12'000};

// A server that starts again needs the machine.
inline constexpr std::chrono::milliseconds after_refusal{20};

// While one goes on, what is in front is not told of changes, and may answer as of when it began.
// Those that overlap are one. Any thread.
class Interruptions {
  public:
    void begin() {
        std::lock_guard const lock(mutex_);
        if (count_++ == 0) since_ = Clock::now();
    }
    void end() {
        std::lock_guard const lock(mutex_);
        --count_;
    }
    // Since when one goes on, or else now.
    Clock::time_point since() const {
        std::lock_guard const lock(mutex_);
        return count_ > 0 ? since_ : Clock::now();
    }

  private:
    mutable std::mutex mutex_;
    unsigned count_ = 0;
    Clock::time_point since_;
};

struct Run {
    explicit Run(Options const& given)
        : options(given), acknowledged(cells, memory(given)), seen(cells, memory(given)) {}

    Options const& options;
    Ledger acknowledged, seen;
    // How often a cell was written to so far, by transactions of any outcome.
    std::array<std::atomic<std::uint64_t>, cells> issued{};
    Interruptions interruptions;

    std::atomic<std::uint64_t> reads = 0;     // answers that were checked
    std::atomic<std::uint64_t> unchanged = 0; // of these, 304
    std::atomic<std::uint64_t> edge_hits = 0; // of these, what is in front had them
    std::atomic<std::uint64_t> refused = 0;   // 502 to 504, or no response
    std::atomic<std::uint64_t> wrong = 0;     // anything else
    std::atomic<std::uint64_t> older_than_acknowledged = 0;
    std::atomic<std::uint64_t> older_than_seen = 0;
    std::atomic<std::uint64_t> writes = 0; // acknowledged transactions
    std::atomic<std::uint64_t> rolled_back = 0;
    std::atomic<std::uint64_t> unknown = 0; // transactions that ended in an error

    bool is_stale() const { return older_than_acknowledged + older_than_seen > 0; }
    // The first of the wrong and stale ones, for people.
    void tell(std::string const& what);
    std::string told() const;

  private:
    static Clock::duration memory(Options const& options) {
        return longest_outage + 2 * options.bound + std::chrono::seconds(1);
    }

    mutable std::mutex mutex_;
    std::string told_;
};

} // namespace hammer
