#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace hammer {

using Clock = std::chrono::steady_clock;

// Holds what is known of each cell of the content, and since when. Numbers of a cell only grow. Any
// thread may use it.
class Ledger {
  public:
    // Remembers what was known up to `memory` ago.
    Ledger(std::size_t size, Clock::duration memory) : memory_(memory), cells_(size) {}

    // No response to a request that is sent from now on may have less.
    void note(std::size_t cell, std::uint64_t number) {
        auto& [mutex, known] = cells_[cell];
        std::lock_guard const lock(mutex);
        if (number <= known.back().second) return;
        auto const now = Clock::now();
        known.emplace_back(now, number);
        while (known[1].first < now - memory_)
            known.pop_front();
    }

    std::uint64_t known(std::size_t cell, Clock::time_point then) const {
        auto const& [mutex, known] = cells_[cell];
        std::lock_guard const lock(mutex);
        for (auto entry = known.rbegin(); entry != known.rend(); ++entry)
            if (entry->first <= then) return entry->second;
        return 0;
    }

  private:
    struct Cell {
        mutable std::mutex mutex;
        std::deque<std::pair<Clock::time_point, std::uint64_t>> known{
            {Clock::time_point::min(), 0}};
    };

    Clock::duration const memory_;
    std::vector<Cell> cells_;
};

} // namespace hammer
