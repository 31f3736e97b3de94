#include "db/mysql/pool.hpp"

#include "parser/base/limits.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace db {

namespace {

// A server that fell silent within this time is found out by statement-timeout instead of
// acquire-timeout, as it is by the requests that it was answering.
constexpr auto just_now = std::chrono::milliseconds(10);
// A server that refused a connection is asked for another after this time.
constexpr auto until_more_are_tried = std::chrono::seconds(5);
// A request that has its rows waits no longer than this for a server that hangs.
constexpr auto longest_commit = std::chrono::milliseconds(500);

parser::Error in_vain(Pool::Wait const& wait, std::string cause) {
    return parser::unavailable(&parser::Limits::acquire, wait.timeout, std::move(cause));
}

} // namespace

Pool::Pool(DatabaseHosts const& database, SessionOptions session, std::size_t size)
    : hosts_(database), session_(session), size_(size), granted_(size) {
    session_.watchdog = &watchdog_;
    hosts_.lost = [this](Host const& host) {
        watchdog_.cut_silent(host.url().address());
        drop_leftovers(host);
    };
}

void CloseOfPool::operator()(Connection* connection) const {
    delete connection;
    --pool->open_;
}

Pool::Lease::Lease(Pool& pool, Wait wait, PoolSlot slot)
    : pool_(&pool), wait_(wait), slot_(std::move(slot)) {
}

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      wait_(other.wait_),
      slot_(std::move(other.slot_)) {
}

Pool::Lease::~Lease() {
    if (!pool_) return;
    auto const& connection = slot_.connection;
    if (connection && (connection->is_broken() || connection->holds_much())) drop();
    pool_->give_back(std::move(slot_));
}

void Pool::Lease::drop() {
    if (slot_.connection->is_lost()) pool_->hosts_.suspect(*slot_.host);
    pool_->close(slot_);
}

template<class T>
parser::Result<T> Pool::Lease::in_time(parser::Result<T> done) {
    if (done || !wait_.is_over()) return done;
    ++pool_->usage_->timeouts;
    return in_vain(wait_, "no database connection was ready: " + done.error().cause);
}

parser::Result<void> Pool::Lease::connect() {
    if (wait_.is_over()) {
        ++pool_->usage_->timeouts;
        return in_vain(wait_, "no database connection was ready");
    }
    is_refused_ = false;
    auto done = connect_to_any();
    bool const is_away = !is_refused_ || pool_->open_ == 0;
    if (!done && is_away) pool_->note(true);
    return in_time(std::move(done));
}

// A host that does not give a connection is not asked again before it has reported.
parser::Result<void> Pool::Lease::connect_to_any() {
    if (slot_.connection && slot_.connection->is_broken()) drop();
    for (;;) {
        auto host = pool_->hosts_.choose(wait_.end());
        if (!host) return host.error();
        if (slot_.host != *host) slot_.connection.reset();
        slot_.host = *std::move(host);
        if (slot_.connection) return {};
        is_new_ = false;
        if (!was_lost_) pool_->take_idle(slot_);
        if (slot_.connection) return {};
        auto done = open();
        if (is_refused_ && pool_->open_ > 0) {
            auto slot = pool_->exchange(wait_, done.error().cause);
            if (!slot) return slot.error();
            slot_ = *std::move(slot);
            if (wait_.is_over()) return done;
            continue;
        }
        if (done || !pool_->hosts_.suspect(*slot_.host) || wait_.is_over()) return done;
        was_lost_ = false; // that was with the host before
    }
}

parser::Result<void> Pool::Lease::open() {
    // Some time is left for another host, which may still be reached.
    auto const& hosts = pool_->hosts_;
    auto const by = hosts.is_alone()
                        ? wait_.end()
                        : std::min(wait_.end(), Clock::now() + hosts.rules().connect_timeout);
    auto opened = Connection::open(slot_.host->url(), pool_->session_, by);
    is_refused_ = !opened && opened.error().kind == parser::ErrorKind::unavailable;
    if (is_refused_) return parser::unreachable(opened.error().cause);
    if (!opened) return opened.error();
    pool_->note_opened();
    slot_ = {slot_.host, {opened->release(), CloseOfPool{pool_}}};
    is_new_ = true;
    was_lost_ = false;
    return {};
}

parser::Result<bool> Pool::Lease::try_begin(Extent extent) {
    auto done = begin_there(extent);
    if (done) {
        if (*done) pool_->note(false);
        return done;
    }
    auto& hosts = pool_->hosts_;
    was_lost_ = !is_new_ && !wait_.is_over() && hosts.is_well(*slot_.host);
    bool const may_go_on = was_lost_ || (hosts.suspect(*slot_.host) && !wait_.is_over());
    if (!may_go_on) {
        pool_->note(true);
        return in_time(std::move(done));
    }
    pool_->close(slot_);
    return false;
}

parser::Result<bool> Pool::Lease::begin_there(Extent extent) {
    Connection& connection = *slot_.connection;
    if (!is_new_ && extent == Extent::statement && was_used_just_now()) return true;
    if (auto begun = connection.begin_snapshot(wait_.end()); !begun) return begun.error();
    if (!is_new_) return true;
    auto const together = connection.try_together({.at = wait_.end()});
    if (!together) return together.error();
    is_new_ = false;
    return *together;
}

parser::Result<void> Pool::Lease::begin(Extent extent) {
    for (;;) {
        if (auto done = connect(); !done) return done.error();
        auto const begun = try_begin(extent);
        if (!begun) return begun.error();
        if (*begun) return {};
    }
}

// If so, the statement itself shows whether the connection is still there. A connection that was
// handed over with the snapshot of its last user has to end that first. If several statements are
// not answered by the server of a snapshot (Connection::try_together), nobody knows which server
// answers a statement outside of one.
bool Pool::Lease::was_used_just_now() const {
    Connection const& connection = *slot_.connection;
    return !connection.is_broken() && !connection.is_in_snapshot() && connection.sends_together() &&
           Clock::now() - slot_.used < just_now;
}

parser::Result<Pool::Lease> Pool::snapshot(Wait wait) {
    auto lease = acquire(wait);
    if (!lease) return lease;
    if (auto begun = lease->begin(); !begun) return begun.error();
    return lease;
}

parser::Result<Pool::Lease> Pool::acquire(Wait wait) {
    std::unique_lock lock(mutex_);
    // This memory is reserved here so that giving a place back needs none.
    auto const most = leased_ + waiting_.size() + 1;
    idle_.reserve(idle_.size() + most);
    leftovers_.reserve(leftovers_.size() + most);
    try_more();
    if (has_free_slot()) {
        ++leased_;
        report();
        return Lease(*this, wait, {});
    }
    auto slot = wait_for_slot(lock, wait);
    if (!slot) return slot.error();
    return Lease(*this, wait, *std::move(slot));
}

// `given_up` is how many places the caller no longer uses while it waits.
parser::Result<PoolSlot> Pool::wait_for_slot(std::unique_lock<std::mutex>& lock, Wait const& wait,
                                             std::size_t given_up) {
    ++usage_->waits;
    Waiter self;
    waiting_.push_back(&self);
    leased_ -= given_up;
    admit({});
    if (self.ready.wait_until(lock, wait.end(), [&] { return self.slot.has_value(); }))
        return *std::move(self.slot);
    std::erase(waiting_, &self);
    leased_ += given_up;
    report();
    ++usage_->timeouts;
    auto cause = std::string("no database connection was free");
    if (!leftovers_.empty())
        cause += ": the database has not ended " + std::to_string(leftovers_.size()) +
                 " statements that were cut off";
    return in_vain(wait, std::move(cause));
}

// Waits for another place, instead of one for which the server grants no connection.
parser::Result<PoolSlot> Pool::exchange(Wait const& wait, std::string const& why) {
    std::unique_lock lock(mutex_);
    granted_ = std::clamp(open_ + leftovers_.size(), std::size_t{1}, size_);
    try_more_ = Clock::now() + until_more_are_tried;
    if (std::exchange(reported_granted_, granted_) != granted_) {
        auto const granted = granted_;
        lock.unlock();
        report_granted(granted, why);
        lock.lock();
    }
    return wait_for_slot(lock, wait, 1);
}

// One more at a time: each that the server refuses costs a request a round trip.
void Pool::try_more() {
    if (granted_ == size_ || has_free_slot() || Clock::now() < try_more_) return;
    ++granted_;
    try_more_ = Clock::now() + until_more_are_tried;
}

void Pool::note_opened() {
    std::lock_guard const lock(mutex_);
    ++open_;
    try_more_ = {}; // the server may grant another one, too
    if (open_ == size_) reported_granted_ = 0;
}

// Leaves the place without a connection if none to its host is idle.
void Pool::take_idle(PoolSlot& slot) {
    std::lock_guard const lock(mutex_);
    auto const last = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [&](PoolSlot const& idle) { return idle.host == slot.host; });
    if (last == idle_.rend()) return;
    slot = std::move(*last);
    idle_.erase(std::next(last).base());
    report();
}

void Pool::note(bool is_away) {
    if (is_away_.load(std::memory_order_relaxed) != is_away &&
        is_away_.exchange(is_away) != is_away)
        report_away(is_away);
}

void Pool::report() {
    usage_->open = leased_ + idle_.size() + leftovers_.size();
    usage_->idle = idle_.size();
    usage_->left = leftovers_.size();
    usage_->waiting = waiting_.size();
}

// The thread that has waited longest gets the place and, if there is only one host, the connection
// with it: a new transaction ends the one before as well. If the place were left free, other
// threads would often take it before the woken one ran, which then had to wait again.
void Pool::give_back(PoolSlot slot) {
    bool const is_alone = hosts_.is_alone();
    if (slot.connection && hosts_.is_gone(*slot.host)) slot.connection.reset();
    slot.used = Clock::now();
    std::unique_lock lock(mutex_);
    bool const goes_along =
        is_alone && !waiting_.empty() && leased_ + leftovers_.size() <= granted_;
    if (slot.connection && !goes_along) {
        if (slot.connection->is_in_snapshot()) {
            lock.unlock();
            if (!slot.connection->commit(slot.used + longest_commit)) close(slot);
            lock.lock();
        }
        if (slot.connection) idle_.push_back(std::exchange(slot, {}));
    }
    --leased_;
    admit(std::move(slot));
}

bool Pool::has_free_slot() const {
    return leased_ + leftovers_.size() < granted_;
}

void Pool::admit(PoolSlot slot) {
    while (!waiting_.empty() && has_free_slot()) {
        ++leased_;
        Waiter& first = *waiting_.front();
        waiting_.pop_front();
        first.slot = std::exchange(slot, {});
        first.ready.notify_one(); // within the lock: `first` is gone once its place is taken
    }
    report();
}

void Pool::clear() {
    std::vector<PoolSlot> closing; // are closed outside of the lock
    {
        std::lock_guard const lock(mutex_);
        closing.swap(idle_);
        report();
    }
}

} // namespace db
