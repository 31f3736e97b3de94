#pragma once

#include "fcgi/server/client.hpp"
#include "fcgi/server/epoll.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace fcgi {

// Passes clients back from workers to the dispatcher. The dispatcher need not be woken for each: a
// client whose response is sent in full, and that has sent nothing since, can wait until something
// else happens, such as its next request. Otherwise each response would wake the dispatcher twice,
// and a switch of threads costs as much as copying 50 KB.
class Answered {
  public:
    // The dispatcher waits at `dispatcher`, which outlives this.
    explicit Answered(Epoll const& dispatcher) : dispatcher_(dispatcher) {}

    // Reserves memory for so many clients, so that a worker needs none to give one back.
    void reserve(std::size_t clients);

    // Any thread may call this; the client is the dispatcher's from then on.
    void put(Client& client);
    // From now on the dispatcher is woken for each client.
    void await_each();
    // Called by the dispatcher. Returns all clients, valid until the next call.
    std::vector<Client*> const& take();

  private:
    Epoll const& dispatcher_;
    std::mutex mutex_;
    std::vector<Client*> clients_;
    std::vector<Client*> taken_;
    bool is_woken_ = false;
    bool each_is_awaited_ = false;
};

} // namespace fcgi
