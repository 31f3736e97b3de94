#pragma once

#include "fcgi/http/cost.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace fcgi {

// Decides how many requests of each cost are answered at the same time. There can be `slots` at
// all, of which expensive ones take at most half, and together with unknown ones all but one: so
// cheap ones, which take no place here, always find one. (Each cost has one place at least.) A
// statement that the database continues after its request was answered takes a place as an
// expensive request does: `left`, unless it is null, is the number of these, which any thread may
// change.
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

    // Returns about how long a request behind so many of its cost waits for a place: those that
    // have one are half done, on average.
    Duration wait_behind(Cost cost, std::size_t others) const;

  private:
    struct Places {
        std::size_t count;
        Duration usual; // time that one request takes, of late
        std::size_t taken = 0;
    };
    std::size_t left() const { return left_ ? left_->load(std::memory_order_relaxed) : 0; }
    Places& of(Cost cost) { return places_[static_cast<std::size_t>(cost)]; }
    Places const& of(Cost cost) const { return places_[static_cast<std::size_t>(cost)]; }

    std::array<Places, cost_names.size()> places_;
    std::atomic<std::uint64_t> const* left_;
};

} // namespace fcgi
