#pragma once

#include "db/select/select.hpp"
#include "db/time_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace db {

// Which of its two forms (db/select/form.hpp) a statement of a kind is best asked in, by what
// earlier ones took: the other form is tried where the usual one is slow, and stays where it was
// quicker. Any thread.
class FormChoice {
  public:
    using Time = TimePairs::Time;

    // What takes less is not worth a choice.
    static constexpr Time slow_from = std::chrono::milliseconds(10);
    // Of what came to no end in the time that it may take, or to a bad one.
    static constexpr Time endless = Time::max();

    // `parts`: what the time grows with, the parents whose rows are asked for.
    bool prefers_other(std::uint64_t kind, std::size_t parts = 1) const {
        auto const [usual, other] = times_.of(kind);
        return is_slow(usual, parts) && other < usual;
    }
    void note_usual(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto [usual, other] = times_.of(kind);
        if (usual == 0 && time < slow_from) return;
        // Never as long as what was given up.
        usual = std::min(nearer(usual, of_part(time, parts)), longest / 2);
        // What was slow once is tried again some day, since content changes.
        if (other >= usual) other = aged(other, 256);
        times_.store(kind, {usual, other});
    }
    void note_other(std::uint64_t kind, Time time, std::size_t parts = 1) {
        auto [usual, other] = times_.of(kind);
        if (usual == 0) return; // it was forced
        other = nearer(other, of_part(time, parts));
        // Likewise; less often, since nothing ends the usual form before the timeout, and not where
        // it has nothing to spare.
        if (is_slow(other, parts) && other < usual) usual = aged(usual, 1'024);
        times_.store(kind, {usual, other});
    }
    // How long the other form may take: twice as long as the usual one took.
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

    TimePairs times_; // of a part: of the usual form, and of the other
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
