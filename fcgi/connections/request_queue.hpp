#pragma once

#include "fcgi/connections/client.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

namespace fcgi {

// Connections whose request waits for a worker, first come first served; any thread.
//
// Where answers are shared, a request waits while an equal one is being answered, so that all that
// come meanwhile are answered together by the next: one answer at a time of a page that everybody
// asks for. But no longer than `longest_hold`, lest who asks for something slow wait for it twice.
class RequestQueue {
  public:
    // `workers` call next().
    RequestQueue(std::size_t workers, bool share, std::chrono::milliseconds longest_hold);

    // Takes a client whose head is complete.
    void push(Client& client);
    // Puts them at the head.
    void put_back(std::vector<Client*> const& clients);

    // Blocks until there is one. Null: closed, and all were taken.
    Client* next();
    void close();

    // For who answers `client`: moves those that wait with an equal request to the end of
    // `twins`. All or none where memory runs out.
    void take_twins(Client const& client, std::vector<Client*>& twins);
    // It is answered: its equals need not wait any more.
    void release_twins(Client const& client);

  private:
    using Time = Client::Time;
    struct Hold {
        Client const* by;
        Time until;
    };

    bool is_held(Client const& client, Time now) const;
    Time next_release(Time now) const;

    bool const share_;
    std::chrono::milliseconds const longest_hold_;
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<Client*> waiting_;
    std::vector<Hold> holds_;
    bool closed_ = false;
};

} // namespace fcgi
