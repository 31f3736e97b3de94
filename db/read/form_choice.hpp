#pragma once

#include "db/read/select.hpp"
#include "db/read/time_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace db {

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

// Only these functions choose the form of the statement that reads a node for that many parents,
// and note the time that it took, if there was a choice.
Form choose_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Forms forms);
void note_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Form form,
               FormChoice::Time time);
// Returns whether the usual form may be sent after the other one has failed.
bool usual_finishes(SelectedPlan const& plan, std::uint32_t node);
// Returns how long a form other than the usual may take. The server stops what takes longer with an
// error, which cannot get lost on the way, unlike the warning after which MariaDB's ROWS EXAMINED
// leaves rows out.
std::chrono::milliseconds patience(SelectedPlan const& plan, std::uint32_t node,
                                   std::size_t parents);

} // namespace db
