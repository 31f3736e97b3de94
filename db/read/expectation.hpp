#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace db {

// Remembers whether something was true of each of the last statements of a kind, to choose how the
// next is best read. It has a fixed size, so kinds may share an entry. Any thread may use it.
class Expectation {
  public:
    // This is false until `enough` statements in a row were so.
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
