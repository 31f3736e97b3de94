#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace db {

// Holds two times of each kind of statement or plan, by a hash of that kind. It has a fixed size: a
// kind may push out another, whose times are not known from then on. Any thread may use it; if two
// store at the same time, one counts.
class TimePairs {
  public:
    using Time = std::chrono::nanoseconds;

    static constexpr Time unit = std::chrono::microseconds(1);
    static constexpr std::uint64_t longest = (1U << 24) - 1; // so up to 16 s fit

    // In units; 0: not known.
    struct Pair {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
    };

    static constexpr std::uint64_t units(Time time) {
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(time / unit), 1, longest);
    }

    Pair of(std::uint64_t kind) const {
        auto const entry = entries_[kind % entries_.size()].load(std::memory_order_relaxed);
        if ((entry ^ kind) >> (2 * time_bits)) return {};
        return {entry >> time_bits & longest, entry & longest};
    }
    void store(std::uint64_t kind, Pair times) {
        auto const tag = kind >> (2 * time_bits) << (2 * time_bits);
        entries_[kind % entries_.size()].store(tag | times.first << time_bits | times.second,
                                               std::memory_order_relaxed);
    }

  private:
    static constexpr unsigned time_bits = 24;

    // Each holds, from the highest bits on, 16 bits of the kind, then the times. 0 means nothing.
    std::array<std::atomic<std::uint64_t>, 4'096> entries_{};
};

} // namespace db
