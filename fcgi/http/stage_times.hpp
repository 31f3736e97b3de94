#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Measures where the time of a request goes. Server-Timing, logs and metrics use these names.

namespace fcgi {

enum class Stage : std::uint8_t {
    wait,      // in the queue, from the complete request on
    authorize, // the caller and its rights; whether the plan is known
    parse,
    read,
    bind,
    acquire, // a database connection
    execute,
    render, // rows to JSON, and its entity tag
};
inline constexpr std::array<std::string_view, 8> stage_names = {
    "wait", "authorize", "parse", "read", "bind", "acquire", "execute", "render"};

// Reads the clock once for each stage that is entered. A stage that is entered again adds up.
class StageTimes {
  public:
    using Clock = std::chrono::steady_clock;
    using Duration = Clock::duration;

    // Begins in `wait`, at `arrived`.
    StageTimes() : StageTimes(Clock::now()) {}
    explicit StageTimes(Clock::time_point arrived) : arrived_(arrived), last_(arrived) {}

    // Ends the stage before this one.
    void enter(Stage stage) {
        stop();
        current_ = stage;
        reached_ |= bit(stage);
    }
    void stop() {
        auto const now = Clock::now();
        spent_[static_cast<std::size_t>(current_)] += now - last_;
        last_ = now;
    }

    // Returns the time of a stage; absent: not reached.
    std::optional<Duration> of(Stage stage) const {
        if ((reached_ & bit(stage)) == 0) return std::nullopt;
        return spent_[static_cast<std::size_t>(stage)];
    }
    struct Named {
        std::string_view name;
        Duration time;
    };
    // Returns the times of the stages that were reached, in their order.
    std::vector<Named> reached() const {
        std::vector<Named> times;
        for (std::size_t i = 0; i < stage_names.size(); ++i)
            if (auto const time = of(Stage(i))) times.push_back({stage_names[i], *time});
        return times;
    }
    Duration total() const { return last_ - arrived_; } // until the last `enter` or `stop`
    Stage current() const { return current_; }          // where it ended, or failed

  private:
    static unsigned bit(Stage stage) { return 1U << static_cast<unsigned>(stage); }

    Clock::time_point arrived_;
    Clock::time_point last_;
    Stage current_ = Stage::wait;
    unsigned reached_ = bit(Stage::wait);
    std::array<Duration, stage_names.size()> spent_{};
};

inline double milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

} // namespace fcgi
