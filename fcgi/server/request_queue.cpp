#include "fcgi/server/request_queue.hpp"

#include "fcgi/http/http.hpp"
#include "parser/base/limits.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

std::size_t at_least_one(std::size_t slots) {
    return std::max<std::size_t>(slots, 1);
}

parser::Error no_slot(Cost cost, std::chrono::milliseconds longest_wait) {
    return parser::unavailable(&parser::Limits::acquire, longest_wait,
                               "no slot was free for a request of cost " +
                                   std::string(name_of(cost)));
}

} // namespace

// Until the first requests are answered, most kinds are assumed to be quick, so that a start under
// load refuses none.
DatabaseSlots::DatabaseSlots(std::size_t slots, std::atomic<std::uint64_t> const* left)
    : by_cost_{{{std::numeric_limits<std::size_t>::max(), 0s},
                {at_least_one(slots) == 1 ? 1 : slots - 1, 10ms},
                {at_least_one(slots / 2), 1s}}},
      left_(left) {
}

bool DatabaseSlots::has_slot_for(Cost cost) const {
    CostSlots const& unknown = of(Cost::unknown);
    CostSlots const& expensive = of(Cost::expensive);
    if (cost == Cost::cheap) return true;
    auto const taken = expensive.taken + left();
    if (cost == Cost::expensive && taken >= expensive.count) return false;
    return taken + unknown.taken < unknown.count;
}

bool DatabaseSlots::is_any_taken() const {
    return is_any_left() ||
           std::ranges::any_of(by_cost_, [](CostSlots const& slots) { return slots.taken > 0; });
}

void DatabaseSlots::leave(Cost cost, Duration held) {
    leave(cost);
    of(cost).usual += (held - of(cost).usual) / 8;
}

DatabaseSlots::Duration DatabaseSlots::wait_behind(Cost cost, std::size_t others) const {
    CostSlots const& own = of(cost);
    CostSlots const& expensive = of(Cost::expensive);
    auto count = own.count;
    Duration wait{0};
    if (cost == Cost::unknown) {
        count -= std::min(count, expensive.taken);
        if (count == 0) wait += expensive.usual / 2;
    }
    auto const halves = static_cast<Duration::rep>(own.taken + 2 * others);
    return wait + own.usual * halves / static_cast<Duration::rep>(2 * at_least_one(count));
}

RequestQueue::RequestQueue(ServerOptions const& options)
    : coalesces_(options.share_requests),
      longest_hold_(options.longest_hold),
      longest_wait_(options.limits.acquire),
      slots_(std::min(options.workers, options.connections), options.left) {
    holds_.reserve(options.workers); // so that next() needs no memory
}

void RequestQueue::push(Client& client) {
    client.wait_end = client.request.arrived + longest_wait_;
    client.cost.reset();
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back(&client);
        // If others wait too, a worker already looks again when the request is no longer held.
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

// The caller also calls next() afterwards, and so sees when there is a place.
void RequestQueue::requeue(Client& client) {
    std::lock_guard lock(mutex_);
    waiting_.push_back(&client);
    release(client);
}

Client* RequestQueue::next() {
    std::unique_lock lock(mutex_);
    for (;;) {
        auto const now = Time::clock::now();
        // This is read before the search, which may not see the slot that a later end frees.
        bool const is_any_left = slots_.is_any_left();
        auto const found = std::ranges::find_if(
            waiting_, [&](Client const* client) { return is_next(*client, now); });
        if (found != waiting_.end()) {
            auto* const client = *found;
            waiting_.erase(found);
            if (client->cost && now < client->wait_end) give_slot(*client, now);
            if (coalesces_) holds_.push_back({client, now + longest_hold_});
            if (may_be_held()) arrival_.notify_one(); // another worker looks after those
            return client;
        }
        if (!waiting_.empty())
            arrival_.wait_until(lock, next_look(now, is_any_left));
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

parser::Result<bool> RequestQueue::enter(Client& client, Cost cost) {
    if (cost == Cost::cheap || (client.has_slot && client.cost == cost)) return true;
    std::lock_guard lock(mutex_);
    if (client.has_slot) slots_.leave(*client.cost);
    client.has_slot = false;
    client.cost = cost;
    client.follows = false;
    std::size_t others = 0; // not answered together with another
    for (Client const* waiting : waiting_) {
        if (waiting->cost != cost) continue;
        if (!waiting->follows) ++others;
        client.follows = client.follows || are_equal(*waiting, client);
    }
    auto const now = Time::clock::now();
    if (others == 0 && slots_.has_slot_for(cost)) {
        give_slot(client, now);
        return true;
    }
    if (now >= client.wait_end) return no_slot(cost, longest_wait_);
    auto const wait = slots_.wait_behind(cost, others);
    if (client.follows || now + wait <= client.wait_end) return false;
    auto const seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
    auto error = no_slot(cost, longest_wait_);
    error.cause += ", but in " + std::to_string(seconds) + " s";
    return error;
}

void RequestQueue::take_equals(Client const& client, std::vector<Client*>& equals) {
    std::lock_guard lock(mutex_);
    if (!coalesces_) return;
    equals.reserve(equals.size() + waiting_.size());
    std::erase_if(waiting_, [&](Client* waiting) {
        bool const taken = are_equal(*waiting, client);
        if (taken) equals.push_back(waiting);
        return taken;
    });
}

void RequestQueue::done(Client& client) {
    {
        std::lock_guard lock(mutex_);
        bool const frees_one = may_be_held();
        release(client);
        if (client.has_slot) slots_.leave(*client.cost, Time::clock::now() - client.slot_since);
        client.has_slot = false;
        if (!frees_one) return;
    }
    arrival_.notify_one();
}

// Returns whether a waiting request may wait for more than a worker. (A worker that is woken for
// nothing only has the work of going to sleep again.)
bool RequestQueue::may_be_held() const {
    return !waiting_.empty() && (coalesces_ || slots_.is_any_taken());
}

bool RequestQueue::are_equal(Client const& one, Client const& other) const {
    return coalesces_ && one.request.epoch == other.request.epoch &&
           ask_the_same(one.request, other.request);
}

bool RequestQueue::is_next(Client const& client, Time now) const {
    if (client.wait_end <= now) return true;
    if (client.cost && !slots_.has_slot_for(*client.cost)) return false;
    return !is_held(client, now);
}

bool RequestQueue::is_held(Client const& client, Time now) const {
    return std::ranges::any_of(
        holds_, [&](Hold const& hold) { return now < hold.until && are_equal(client, *hold.by); });
}

// Returns when a waiting request may become the next one without anything being done. Nobody
// reports statements that end at the database.
RequestQueue::Time RequestQueue::next_look(Time now, bool is_any_left) const {
    auto next = is_any_left ? now + std::chrono::milliseconds(100) : Time::max();
    for (Hold const& hold : holds_)
        if (now < hold.until) next = std::min(next, hold.until);
    for (Client const* client : waiting_)
        next = std::min(next, client->wait_end);
    return next;
}

void RequestQueue::give_slot(Client& client, Time now) {
    slots_.enter(*client.cost);
    client.has_slot = true;
    client.slot_since = now;
}

void RequestQueue::release(Client const& client) {
    std::erase_if(holds_, [&](Hold const& hold) { return hold.by == &client; });
}

} // namespace fcgi
