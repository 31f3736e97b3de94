#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/server/client.hpp"
#include "fcgi/server/server.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace fcgi {

// Decides how many requests of each cost are answered at the same time. There can be `slots` at
// all. Expensive ones take at most half of them, and expensive and unknown ones together all but
// one. So cheap requests, which are not counted here, always find one. (Each cost has at least one
// slot.) A statement that the database continues after its request was answered takes a slot as an
// expensive request does. `left`, unless it is null, is the number of these statements; any thread
// may change it.
class DatabaseSlots {
  public:
    using Duration = std::chrono::steady_clock::duration;

    explicit DatabaseSlots(std::size_t slots, std::atomic<std::uint64_t> const* left = nullptr);

    bool has_slot_for(Cost cost) const;
    bool is_any_taken() const;
    bool is_any_left() const { return left() > 0; }
    void enter(Cost cost) { ++of(cost).taken; }
    void leave(Cost cost) { --of(cost).taken; } // without a response
    void leave(Cost cost, Duration held);

    // Estimates how long a request waits for a slot behind `others` of its cost. It assumes that
    // those that have a slot are half done, on average.
    Duration wait_behind(Cost cost, std::size_t others) const;

  private:
    struct CostSlots {
        std::size_t count;
        Duration usual; // recent average time of a request
        std::size_t taken = 0;
    };
    std::size_t left() const { return left_ ? left_->load(std::memory_order_relaxed) : 0; }
    CostSlots& of(Cost cost) { return by_cost_[static_cast<std::size_t>(cost)]; }
    CostSlots const& of(Cost cost) const { return by_cost_[static_cast<std::size_t>(cost)]; }

    std::array<CostSlots, cost_names.size()> by_cost_;
    std::atomic<std::uint64_t> const* left_;
};

// Holds clients whose request waits for a worker, first come, first served. Any thread.
//
// If requests are coalesced, a request waits while an equal one is being answered, so that all that
// arrive meanwhile are answered together by the next: a page that everybody asks for is read once
// at a time. It waits for `longest_hold` at most, so that nobody waits for a slow request twice.
//
// The cost of a request is known once a worker has looked at it. If there is no slot for that
// (DatabaseSlots) the request comes back, and waits for one while others go by. It waits no longer
// than acquire-timeout, and not at all if that is not expected to be enough.
class RequestQueue {
  public:
    explicit RequestQueue(ServerOptions const& options);

    // Adds a client whose head is complete.
    void push(Client& client);
    // Puts the clients at the front; how long they may wait still counts from their arrival.
    void put_back(std::vector<Client*> const& clients);
    // Takes back a client whose request found no slot.
    void requeue(Client& client);

    // Blocks until there is a client whose request can be answered, or that has waited too long
    // (Client::wait_end). Returns null if the queue is closed and empty.
    Client* next();
    void close();

    // Gives `client`, which next() returned, a slot at the database until it is done
    // (DatabaseSlots). False: there is none for that cost, and the client has to be requeued.
    // `unavailable`: there will be none in time; the cause names acquire-timeout.
    parser::Result<bool> enter(Client& client, Cost cost);

    // Moves the clients that wait with a request equal to that of `client` to the end of `equals`.
    // Moves all or, if memory runs out, none.
    void take_equals(Client const& client, std::vector<Client*>& equals);
    // The client is answered: its slot is free, and its equals need not wait any more.
    void done(Client& client);

  private:
    using Time = Client::Time;
    struct Hold {
        Client const* by;
        Time until;
    };

    bool may_be_held() const;
    // Returns whether the response to one may be used for the other. What is known of changes is
    // known for one epoch.
    bool are_equal(Client const& one, Client const& other) const;
    bool is_next(Client const& client, Time now) const;
    bool is_held(Client const& client, Time now) const;
    Time next_look(Time now, bool is_any_left) const;
    void give_slot(Client& client, Time now);
    void release(Client const& client);

    bool const coalesces_;
    std::chrono::milliseconds const longest_hold_;
    std::chrono::milliseconds const longest_wait_;
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<Client*> waiting_;
    std::vector<Hold> holds_;
    DatabaseSlots slots_;
    bool closed_ = false;
};

} // namespace fcgi
