#pragma once

#include "db/select/select.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace db {

// Which of its two forms (db/select/form.hpp) a statement of a kind is best asked in, by what
// earlier ones took: the other form is tried where the usual one is slow, and stays where it was
// quicker. Of a fixed size: a kind may push out another, which is usual from then on. Any thread.
class FormChoice {
  public:
    using Time = std::chrono::nanoseconds;

    // What takes less is not worth a choice.
    static constexpr Time slow_from = std::chrono::milliseconds(10);
    // Of what came to no end in the time that it may take, or to a bad one.
    static constexpr Time endless = Time::max();

    // `parts`: what the time grows with, the parents whose rows are asked for.
    bool prefers_other(std::uint64_t kind, std::size_t parts = 1) const {
        auto const [usual, other] = times_in(entry(kind).load(std::memory_order_relaxed), kind);
        return is_slow(usual, parts) && other < usual;
    }
    void note_usual(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto times = times_in(entry(kind).load(std::memory_order_relaxed), kind);
        if (times.usual == 0 && time < slow_from) return;
        times.usual = std::min(nearer(times.usual, units(time, parts)), longest / 2);
        // What was slow once is tried again some day, since content changes.
        if (times.other >= times.usual) times.other = aged(times.other, 256);
        store(kind, times);
    }
    void note_other(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto times = times_in(entry(kind).load(std::memory_order_relaxed), kind);
        if (times.usual == 0) return; // it was forced
        times.other = nearer(times.other, units(time, parts));
        // Likewise; less often, since nothing ends the usual form before the timeout, and not where
        // it has nothing to spare.
        if (is_slow(times.other, parts) && times.other < times.usual)
            times.usual = aged(times.usual, 1'024);
        store(kind, times);
    }
    // How long the other form may take: twice as long as the usual one took.
    std::chrono::milliseconds patience(std::uint64_t kind, std::size_t parts = 1) const {
        auto const times = times_in(entry(kind).load(std::memory_order_relaxed), kind);
        auto const twice = std::chrono::duration_cast<std::chrono::milliseconds>(
            unit * static_cast<Time::rep>(2 * times.usual * parts));
        return std::max(least_patience, twice);
    }

  private:
    // From the highest bits on: 16 of the kind, then 24 each of the times, of which the usual one's
    // is never as long as what was given up. 0: nothing.
    using Entry = std::atomic<std::uint64_t>;
    static constexpr unsigned time_bits = 24;
    static constexpr std::uint64_t longest = (1U << time_bits) - 1;
    static constexpr Time unit = std::chrono::microseconds(1); // so up to 16 s fit
    static constexpr std::chrono::milliseconds least_patience{20};

    // Of a part, in units; 0: not known.
    struct Times {
        std::uint64_t usual = 0;
        std::uint64_t other = 0;
    };

    static std::uint64_t units(Time time, std::size_t parts) {
        auto const each = time / unit / static_cast<Time::rep>(std::max(parts, std::size_t{1}));
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(each), 1, longest);
    }
    static std::uint64_t nearer(std::uint64_t before, std::uint64_t now) {
        return before == 0 || now == longest ? now : (3 * before + now + 3) / 4;
    }
    static constexpr std::uint64_t aged(std::uint64_t time, std::uint64_t divisor) {
        return time - (time + divisor - 1) / divisor;
    }
    static constexpr bool is_slow(std::uint64_t time, std::size_t parts) {
        return time * parts >= static_cast<std::uint64_t>(slow_from / unit);
    }
    static constexpr std::uint64_t tag_of(std::uint64_t kind) {
        return kind >> (2 * time_bits) << (2 * time_bits);
    }
    static Times times_in(std::uint64_t entry, std::uint64_t kind) {
        if (tag_of(entry) != tag_of(kind)) return {};
        return {entry >> time_bits & longest, entry & longest};
    }
    void store(std::uint64_t kind, Times times) {
        entries_[kind % entries_.size()].store(
            tag_of(kind) | times.usual << time_bits | times.other, std::memory_order_relaxed);
    }
    Entry const& entry(std::uint64_t kind) const { return entries_[kind % entries_.size()]; }

    std::array<Entry, 4'096> entries_{};
};

// The one place where that is decided, of a node that is asked for so many parents; and what one
// took, if there was a choice.
Form choose_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Forms forms);
void note_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Form form,
               FormChoice::Time time);
// How long another form than the usual may take. The server stops what takes longer with an error,
// which nothing between here and there can lose, as it can the warning after which MariaDB's ROWS
// EXAMINED leaves rows out.
std::chrono::milliseconds patience(SelectedPlan const& plan, std::uint32_t node,
                                   std::size_t parents);

} // namespace db
