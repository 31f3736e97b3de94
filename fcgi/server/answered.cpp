#include "fcgi/server/answered.hpp"

#include <utility>

namespace fcgi {

void Answered::reserve(std::size_t clients) {
    auto const grow = [clients](std::vector<Client*>& list) {
        if (list.capacity() < clients) list.reserve(2 * clients);
    };
    grow(taken_);
    std::lock_guard lock(mutex_);
    grow(clients_);
}

// `is_waiting` is read within the lock: the dispatcher sets it and calls take() afterwards, so
// either the flag is seen here, or the client is seen there.
void Answered::put(Client& client) {
    {
        std::lock_guard lock(mutex_);
        clients_.push_back(&client);
        bool const may_wait = !client.answer && client.keep && client.unread.empty() &&
                              !client.is_waiting && !client.holds_much() && !each_is_awaited_;
        if (may_wait || std::exchange(is_woken_, true)) return;
    }
    dispatcher_.wake();
}

void Answered::await_each() {
    std::lock_guard lock(mutex_);
    each_is_awaited_ = true;
}

std::vector<Client*> const& Answered::take() {
    taken_.clear();
    std::lock_guard lock(mutex_);
    taken_.swap(clients_);
    is_woken_ = false;
    return taken_;
}

} // namespace fcgi
