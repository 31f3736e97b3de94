#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace db {

// Whether something was so of the last statements of a kind, one after another: what tells how the
// next is best read. Of a fixed size, so that kinds may share an entry. Any thread.
class Expectation {
  public:
    // Not before there were some.
    bool is_likely(std::uint64_t kind) const {
        return entry(kind).load(std::memory_order_relaxed) >= enough;
    }
    void note(std::uint64_t kind, bool was_so) {
        auto& entry = entries_[kind % entries_.size()];
        auto const before = entry.load(std::memory_order_relaxed);
        std::uint8_t const now = !was_so ? 0 : before < enough ? before + 1 : enough;
        if (now != before) entry.store(now, std::memory_order_relaxed);
    }

  private:
    using Entry = std::atomic<std::uint8_t>; // how often in a row
    static constexpr std::uint8_t enough = 4;

    Entry const& entry(std::uint64_t kind) const { return entries_[kind % entries_.size()]; }

    std::array<Entry, 16'384> entries_{};
};

} // namespace db
