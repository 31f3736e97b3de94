#pragma once

#include "content.hpp"
#include "ledger.hpp"
#include "options.hpp"

#include <array>
#include <atomic>
#include <string>

// The threads of a run share these.

namespace hammer {

// A server that starts again needs the machine.
inline constexpr std::chrono::milliseconds after_refusal{20};

struct Run {
    explicit Run(Options const& given)
        : options(given),
          acknowledged(cells, given.bound + std::chrono::seconds(1)),
          seen(cells, given.bound + std::chrono::seconds(1)) {}

    Options const& options;
    Ledger acknowledged, seen;
    // How often a cell was written to so far, by transactions of any outcome.
    std::array<std::atomic<std::uint64_t>, cells> issued{};

    std::atomic<std::uint64_t> reads = 0;     // answers that were checked
    std::atomic<std::uint64_t> unchanged = 0; // of these, 304
    std::atomic<std::uint64_t> edge_hits = 0; // of these, what is in front had them
    std::atomic<std::uint64_t> refused = 0;   // 502 to 504, or no answer
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
    mutable std::mutex mutex_;
    std::string told_;
};

} // namespace hammer
