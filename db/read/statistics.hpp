#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

// What is known of recent statements, by their kind, to choose how the next ones are best read.

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

// Holds two times of each kind of statement or plan, by a hash of that kind. It has a fixed size: a
// kind may push out another, whose times are not known from then on. Any thread may use it; if two
// store at the same time, one counts.
class TimePairs {
  public:
    using Time = std::chrono::nanoseconds;

    static constexpr Time unit = std::chrono::microseconds(1);
    static constexpr std::uint64_t longest = (1U << 24) - 1; // so up to 16 s fit

    using Times = std::pair<std::uint64_t, std::uint64_t>; // in units; 0: not known

    static constexpr std::uint64_t units(Time time) {
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(time / unit), 1, longest);
    }

    Times of(std::uint64_t kind) const {
        auto const entry = entries_[kind % entries_.size()].load(std::memory_order_relaxed);
        if ((entry ^ kind) >> (2 * time_bits)) return {};
        return {entry >> time_bits & longest, entry & longest};
    }
    void store(std::uint64_t kind, Times times) {
        auto const tag = kind >> (2 * time_bits) << (2 * time_bits);
        entries_[kind % entries_.size()].store(tag | times.first << time_bits | times.second,
                                               std::memory_order_relaxed);
    }

  private:
    static constexpr unsigned time_bits = 24;

    // Each holds, from the highest bits on, 16 bits of the kind, then the times. 0 means nothing.
    std::array<std::atomic<std::uint64_t>, 4'096> entries_{};
};

// Chooses between the two forms (db/read/form.hpp) of a kind of statement by the time that
// earlier ones took: the other form is tried if the usual one is slow, and used as long as it is
// quicker. Any thread may use it.
class FormChoice {
  public:
    using Time = TimePairs::Time;

    // Statements that take less are not worth a choice.
    static constexpr Time slow_from = std::chrono::milliseconds(10);
    // The time of a form that did not finish within its timeout, or failed.
    static constexpr Time endless = Time::max();

    // The time grows with `parts`, the number of parents whose rows are asked for.
    bool prefers_other(std::uint64_t kind, std::size_t parts = 1) const {
        auto const [usual, other] = times_.of(kind);
        return is_slow(usual, parts) && other < usual;
    }
    void note_usual(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto [usual, other] = times_.of(kind);
        if (usual == 0 && time < slow_from) return;
        // The usual form never counts as slow as one that was given up.
        usual = std::min(nearer(usual, of_part(time, parts)), longest / 2);
        // A form that was slow once is tried again some day, since content changes.
        if (other >= usual) other = aged(other, 256);
        times_.store(kind, {usual, other});
    }
    void note_other(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto [usual, other] = times_.of(kind);
        if (usual == 0) return; // the form was forced
        bool const is_first = other == 0;
        other = nearer(other, of_part(time, parts));
        // While the other form is slow as well, the usual one is tried again: at once, since the
        // first time may have been that of a server that had none of the pages in memory, and later
        // less often, since nothing ends it before the timeout.
        if (is_slow(other, parts) && other < usual)
            usual = is_first && usual < longest / 2 ? 0 : aged(usual, 1'024);
        times_.store(kind, {usual, other});
    }
    // Returns false if the usual form was given up the last time it was tried.
    bool usual_finishes(std::uint64_t kind) const { return times_.of(kind).first < longest / 2; }
    // Returns how long the other form may take: twice as long as the usual one took.
    std::chrono::milliseconds patience(std::uint64_t kind, std::size_t parts = 1) const {
        auto const twice =
            TimePairs::unit * static_cast<Time::rep>(2 * times_.of(kind).first * parts);
        return std::max(least_patience,
                        std::chrono::duration_cast<std::chrono::milliseconds>(twice));
    }

  private:
    static constexpr auto longest = TimePairs::longest;
    static constexpr std::chrono::milliseconds least_patience{20};

    static std::uint64_t of_part(Time time, std::size_t parts) {
        return TimePairs::units(time / static_cast<Time::rep>(std::max(parts, std::size_t{1})));
    }
    static std::uint64_t nearer(std::uint64_t before, std::uint64_t now) {
        return before == 0 || now == longest ? now : (3 * before + now + 3) / 4;
    }
    static constexpr std::uint64_t aged(std::uint64_t time, std::uint64_t divisor) {
        return time - (time + divisor - 1) / divisor;
    }
    static constexpr bool is_slow(std::uint64_t time, std::size_t parts) {
        return time * parts >= static_cast<std::uint64_t>(slow_from / TimePairs::unit);
    }

    TimePairs times_; // per part: of the usual form, and of the other
};

} // namespace db
