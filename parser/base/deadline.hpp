#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace parser {

// How long a request is worth working on: until a moment, and as long as somebody waits for its
// response. Copies watch the same flag, which outlives them.
struct Deadline {
    using Clock = std::chrono::steady_clock;

    Clock::time_point at = Clock::time_point::max();
    std::atomic<bool> const* abandoned = nullptr; // set by another thread; null: never

    bool is_abandoned() const { return abandoned && abandoned->load(std::memory_order_relaxed); }
    bool has_passed() const { return Clock::now() >= at; }
    // The result is never negative.
    std::chrono::milliseconds left() const {
        using std::chrono::milliseconds;
        return std::max(std::chrono::duration_cast<milliseconds>(at - Clock::now()),
                        milliseconds(0));
    }
};

} // namespace parser
