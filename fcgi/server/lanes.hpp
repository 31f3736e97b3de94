#pragma once

#include "fcgi/http/http.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace fcgi {

// Decides how many requests of each cost are answered at the same time. There can be `slots` at
// all. Expensive ones take at most half of them, and expensive and unknown ones together all but
// one. So cheap requests, which are not counted here, always find one. (Each cost has at least one
// slot.) A statement that the database continues after its request was answered takes a slot as an
// expensive request does. `left`, unless it is null, is the number of these statements; any thread
// may change it.
class Lanes {
  public:
    using Duration = std::chrono::steady_clock::duration;

    explicit Lanes(std::size_t slots, std::atomic<std::uint64_t> const* left = nullptr);

    bool has_room_for(Cost cost) const;
    bool is_any_taken() const;
    bool is_any_left() const { return left() > 0; }
    void enter(Cost cost) { ++of(cost).taken; }
    void leave(Cost cost) { --of(cost).taken; } // without a response
    void leave(Cost cost, Duration held);

    // Estimates how long a request waits for a slot behind `others` of its cost. It assumes that
    // those that have a slot are half done, on average.
    Duration wait_behind(Cost cost, std::size_t others) const;

  private:
    struct Places {
        std::size_t count;
        Duration usual; // recent average time of a request
        std::size_t taken = 0;
    };
    std::size_t left() const { return left_ ? left_->load(std::memory_order_relaxed) : 0; }
    Places& of(Cost cost) { return places_[static_cast<std::size_t>(cost)]; }
    Places const& of(Cost cost) const { return places_[static_cast<std::size_t>(cost)]; }

    std::array<Places, cost_names.size()> places_;
    std::atomic<std::uint64_t> const* left_;
};

} // namespace fcgi
