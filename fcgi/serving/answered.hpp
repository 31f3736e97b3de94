#pragma once

#include "fcgi/serving/client.hpp"
#include "fcgi/serving/epoll.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace fcgi {

// Clients on their way back from workers to the dispatcher. It need not be woken for each: who is
// answered in full and has said nothing since may wait until something happens, be it what that
// client says next. Each answer would wake the dispatcher twice otherwise, and a change of threads
// costs as much as 50 KB copied.
class Answered {
  public:
    // The dispatcher waits there; it outlives this.
    explicit Answered(Epoll const& dispatcher) : dispatcher_(dispatcher) {}

    // Room for so many at once, so that a worker needs no memory to give one back.
    void reserve(std::size_t clients);

    // Any thread; the client is the dispatcher's from then on.
    void put(Client& client);
    // From now on it is woken for each.
    void await_each();
    // The dispatcher takes all, valid until it does so again.
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
