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
        forget_leftovers(host);
    };
}

void CloseOfPool::operator()(Connection* connection) const {
    delete connection;
    --pool->open_;
}

Pool::Lease::Lease(Pool& pool, Wait wait, PoolPlace place)
    : pool_(&pool), wait_(wait), place_(std::move(place)) {
}

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      wait_(other.wait_),
      place_(std::move(other.place_)) {
}

Pool::Lease::~Lease() {
    if (!pool_) return;
    auto const& connection = place_.connection;
    if (connection && (connection->is_broken() || connection->holds_much())) drop();
    pool_->give_back(std::move(place_));
}

void Pool::Lease::drop() {
    if (place_.connection->is_lost()) pool_->hosts_.suspect(*place_.host);
    pool_->close(place_);
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
    if (place_.connection && place_.connection->is_broken()) drop();
    for (;;) {
        auto host = pool_->hosts_.choose(wait_.end());
        if (!host) return host.error();
        if (place_.host != *host) place_.connection.reset();
        place_.host = *std::move(host);
        if (place_.connection) return {};
        is_new_ = false;
        if (!was_lost_) pool_->take_idle(place_);
        if (place_.connection) return {};
        auto done = open();
        if (is_refused_ && pool_->open_ > 0) {
            auto place = pool_->exchange(wait_, done.error().cause);
            if (!place) return place.error();
            place_ = *std::move(place);
            if (wait_.is_over()) return done;
            continue;
        }
        if (done || !pool_->hosts_.suspect(*place_.host) || wait_.is_over()) return done;
        was_lost_ = false; // that was with the host before
    }
}

parser::Result<void> Pool::Lease::open() {
    // Some time is left for another host, which may still be reached.
    auto const& hosts = pool_->hosts_;
    auto const by = hosts.is_alone()
                        ? wait_.end()
                        : std::min(wait_.end(), Clock::now() + hosts.rules().connect_timeout);
    auto opened = Connection::open(place_.host->url(), pool_->session_, by);
    is_refused_ = !opened && opened.error().kind == parser::ErrorKind::unavailable;
    if (is_refused_) return parser::unreachable(opened.error().cause);
    if (!opened) return opened.error();
    pool_->note_opened();
    place_ = {place_.host, {opened->release(), CloseOfPool{pool_}}};
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
    was_lost_ = !is_new_ && !wait_.is_over() && hosts.is_well(*place_.host);
    bool const may_go_on = was_lost_ || (hosts.suspect(*place_.host) && !wait_.is_over());
    if (!may_go_on) {
        pool_->note(true);
        return in_time(std::move(done));
    }
    pool_->close(place_);
    return false;
}

parser::Result<bool> Pool::Lease::begin_there(Extent extent) {
    Connection& connection = *place_.connection;
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
    Connection const& connection = *place_.connection;
    return !connection.is_broken() && !connection.is_in_snapshot() && connection.sends_together() &&
           Clock::now() - place_.used < just_now;
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
    if (has_free_place()) {
        ++leased_;
        report();
        return Lease(*this, wait, {});
    }
    auto place = wait_for_place(lock, wait);
    if (!place) return place.error();
    return Lease(*this, wait, *std::move(place));
}

// `given_up` is how many places the caller no longer uses while it waits.
parser::Result<PoolPlace> Pool::wait_for_place(std::unique_lock<std::mutex>& lock, Wait const& wait,
                                               std::size_t given_up) {
    ++usage_->waits;
    Waiter self;
    waiting_.push_back(&self);
    leased_ -= given_up;
    admit({});
    if (self.ready.wait_until(lock, wait.end(), [&] { return self.place.has_value(); }))
        return *std::move(self.place);
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
parser::Result<PoolPlace> Pool::exchange(Wait const& wait, std::string const& why) {
    std::unique_lock lock(mutex_);
    granted_ = std::clamp(open_ + leftovers_.size(), std::size_t{1}, size_);
    try_more_ = Clock::now() + until_more_are_tried;
    if (std::exchange(told_granted_, granted_) != granted_) {
        auto const granted = granted_;
        lock.unlock();
        tell_granted(granted, why);
        lock.lock();
    }
    return wait_for_place(lock, wait, 1);
}

// One more at a time: each that the server refuses costs a request a round trip.
void Pool::try_more() {
    if (granted_ == size_ || has_free_place() || Clock::now() < try_more_) return;
    ++granted_;
    try_more_ = Clock::now() + until_more_are_tried;
}

void Pool::note_opened() {
    std::lock_guard const lock(mutex_);
    ++open_;
    try_more_ = {}; // the server may grant another one, too
    if (open_ == size_) told_granted_ = 0;
}

// Leaves the place without a connection if none to its host is idle.
void Pool::take_idle(PoolPlace& place) {
    std::lock_guard const lock(mutex_);
    auto const last = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [&](PoolPlace const& idle) { return idle.host == place.host; });
    if (last == idle_.rend()) return;
    place = std::move(*last);
    idle_.erase(std::next(last).base());
    report();
}

void Pool::note(bool is_away) {
    if (is_away_.load(std::memory_order_relaxed) != is_away &&
        is_away_.exchange(is_away) != is_away)
        tell(is_away);
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
void Pool::give_back(PoolPlace place) {
    bool const is_alone = hosts_.is_alone();
    if (place.connection && hosts_.is_gone(*place.host)) place.connection.reset();
    place.used = Clock::now();
    std::unique_lock lock(mutex_);
    bool const goes_along =
        is_alone && !waiting_.empty() && leased_ + leftovers_.size() <= granted_;
    if (place.connection && !goes_along) {
        if (place.connection->is_in_snapshot()) {
            lock.unlock();
            if (!place.connection->commit(place.used + longest_commit)) close(place);
            lock.lock();
        }
        if (place.connection) idle_.push_back(std::exchange(place, {}));
    }
    --leased_;
    admit(std::move(place));
}

bool Pool::has_free_place() const {
    return leased_ + leftovers_.size() < granted_;
}

void Pool::admit(PoolPlace place) {
    while (!waiting_.empty() && has_free_place()) {
        ++leased_;
        Waiter& first = *waiting_.front();
        waiting_.pop_front();
        first.place = std::exchange(place, {});
        first.ready.notify_one(); // within the lock: `first` is gone once its place is taken
    }
    report();
}

void Pool::clear() {
    std::vector<PoolPlace> closing; // are closed outside of the lock
    {
        std::lock_guard const lock(mutex_);
        closing.swap(idle_);
        report();
    }
}

} // namespace db
