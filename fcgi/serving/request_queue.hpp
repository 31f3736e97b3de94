#pragma once

#include "fcgi/serving/client.hpp"
#include "fcgi/serving/lanes.hpp"
#include "fcgi/serving/server.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace fcgi {

// Connections whose request waits for a worker, first come first served; any thread.
//
// Where answers are shared, a request waits while an equal one is being answered, so that all that
// come meanwhile are answered together by the next: one answer at a time of a page that everybody
// asks for. But no longer than `longest_hold`, lest who asks for something slow wait for it twice.
//
// What a request costs is known once a worker has looked at it. Where there is no place for that
// (Lanes) it comes back, and waits for one while others go by. It waits no longer than
// `longest_wait`, and not at all where that is expected not to be enough.
class RequestQueue {
  public:
    struct Rules {
        std::size_t workers = 1;                          // that call next()
        std::size_t slots = 1;                            // see Lanes
        std::atomic<std::uint64_t> const* left = nullptr; // likewise
        bool share = true;
        std::chrono::milliseconds longest_hold{100};
        std::chrono::milliseconds longest_wait{2'000};
    };
    static Rules rules_of(ServerOptions const& options);
    explicit RequestQueue(Rules rules);

    // Takes a client whose head is complete.
    void push(Client& client);
    // Puts them at the head; how long they may wait counts from their arrival all the same.
    void put_back(std::vector<Client*> const& clients);
    // Takes back one that found no place.
    void postpone(Client& client);

    // Blocks until there is one that can be answered, or has waited too long (Client::wait_end).
    // Null: closed, and all were taken.
    Client* next();
    void close();

    // A place at the database for `client`, which next() gave, until it is done (Lanes). False:
    // there is none for what it costs, and it is to be postponed. `unavailable`: there will be none
    // in time; the cause names acquire-timeout.
    parser::Result<bool> enter(Client& client, Cost cost);

    // For who answers `client`: moves those that wait with an equal request to the end of
    // `equals`. All or none where memory runs out.
    void take_equals(Client const& client, std::vector<Client*>& equals);
    // It is answered: its place is free, and its equals need not wait any more.
    void done(Client& client);

  private:
    using Time = Client::Time;
    struct Hold {
        Client const* by;
        Time until;
    };

    bool may_be_held() const;
    // Whether the answer to one may be that to the other. What is known of changes is known for an
    // epoch.
    bool are_equal(Client const& one, Client const& other) const;
    bool is_next(Client const& client, Time now) const;
    bool is_held(Client const& client, Time now) const;
    Time next_look(Time now, bool is_any_left) const;
    void give_place(Client& client, Time now);
    void release(Client const& client);

    Rules const rules_;
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<Client*> waiting_;
    std::vector<Hold> holds_;
    Lanes lanes_;
    bool closed_ = false;
};

} // namespace fcgi
