#include "fcgi/connections/request_queue.hpp"

#include "fcgi/http/request_key.hpp"

#include <algorithm>

namespace fcgi {

namespace {

// Whether the answer to `other` may be that to `waiting`, which has none yet.
bool is_twin(Client const& waiting, Client const& other) {
    return !waiting.shared && !waiting.key.empty() && waiting.key == other.key;
}

} // namespace

RequestQueue::RequestQueue(std::size_t workers, bool share, std::chrono::milliseconds longest_hold)
    : share_(share), longest_hold_(longest_hold) {
    holds_.reserve(workers); // next() needs no memory
}

void RequestQueue::push(Client& client) {
    client.key.clear();
    if (share_) append_request_key(client.key, client.request);
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back(&client);
        // Behind another, it has somebody who looks when it is held no longer.
        if (waiting_.size() > 1 && is_held(client, Time::clock::now())) return;
    }
    arrival_.notify_one();
}

void RequestQueue::put_back(std::vector<Client*> const& clients) {
    if (clients.empty()) return;
    {
        std::lock_guard lock(mutex_);
        waiting_.insert(waiting_.begin(), clients.begin(), clients.end());
    }
    arrival_.notify_all();
}

Client* RequestQueue::next() {
    std::unique_lock lock(mutex_);
    for (;;) {
        auto const now = Time::clock::now();
        auto const is_free = [&](Client const* one) { return !is_held(*one, now); };
        if (auto const found = std::ranges::find_if(waiting_, is_free); found != waiting_.end()) {
            auto* const client = *found;
            waiting_.erase(found);
            if (share_ && !client->shared) holds_.push_back({client, now + longest_hold_});
            if (!waiting_.empty()) arrival_.notify_one(); // look after those
            return client;
        }
        if (!waiting_.empty())
            arrival_.wait_until(lock, next_release(now));
        else if (!closed_)
            arrival_.wait(lock);
        else
            return nullptr;
    }
}

void RequestQueue::close() {
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
    }
    arrival_.notify_all();
}

void RequestQueue::take_twins(Client const& client, std::vector<Client*>& twins) {
    std::lock_guard lock(mutex_);
    if (client.key.empty()) return;
    twins.reserve(twins.size() + waiting_.size());
    std::erase_if(waiting_, [&](Client* waiting) {
        bool const taken = is_twin(*waiting, client);
        if (taken) twins.push_back(waiting);
        return taken;
    });
}

void RequestQueue::release_twins(Client const& client) {
    {
        std::lock_guard lock(mutex_);
        std::erase_if(holds_, [&](Hold const& hold) { return hold.by == &client; });
        if (waiting_.empty()) return;
    }
    arrival_.notify_one();
}

bool RequestQueue::is_held(Client const& client, Time now) const {
    return std::ranges::any_of(
        holds_, [&](Hold const& hold) { return now < hold.until && is_twin(client, *hold.by); });
}

RequestQueue::Time RequestQueue::next_release(Time now) const {
    auto next = Time::max();
    for (Hold const& hold : holds_)
        if (now < hold.until) next = std::min(next, hold.until);
    return next;
}

} // namespace fcgi
