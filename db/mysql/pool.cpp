#include "db/mysql/pool.hpp"

#include "parser/base/limits.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace db {

namespace {

constexpr SqlPiece start_snapshot = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
constexpr SqlPiece commit = "COMMIT";
// Who has its answer waits no longer for a server that hangs.
constexpr auto longest_commit = std::chrono::milliseconds(500);

parser::Error in_vain(Pool::Wait const& wait, std::string cause) {
    return parser::unavailable(&parser::Limits::acquire, wait.timeout, std::move(cause));
}

} // namespace

Pool::Pool(DatabaseHosts const& database, SessionOptions session, std::size_t size)
    : hosts_(database), session_(session), size_(size) {
    session_.watchdog = &watchdog_;
    hosts_.lost = [this](Host const& host) { watchdog_.cut_silent(host.url().address()); };
}

Pool::Lease::Lease(Pool& pool, Wait wait, HostPointer host, std::unique_ptr<Connection> connection)
    : pool_(&pool), wait_(wait), host_(std::move(host)), connection_(std::move(connection)) {
}

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      wait_(other.wait_),
      host_(std::move(other.host_)),
      connection_(std::move(other.connection_)) {
}

Pool::Lease::~Lease() {
    if (!pool_) return;
    if (connection_ && (connection_->is_broken() || connection_->holds_much())) drop();
    pool_->give_back({std::move(host_), std::move(connection_)});
}

void Pool::Lease::drop() {
    if (connection_->is_lost()) pool_->hosts_.suspect(*host_);
    connection_.reset();
}

parser::Result<void> Pool::Lease::begin_snapshot(First const& first) {
    std::string why;
    if (!wait_.is_over()) {
        auto done = begin_at_any(first);
        if (done || !wait_.is_over()) return done;
        why = ": " + done.error().cause;
    }
    ++pool_->usage_->timeouts;
    auto error = in_vain(wait_, "no database connection was ready");
    error.cause += why;
    return error;
}

// A host that does not begin one is not asked again before it has said how it is.
parser::Result<void> Pool::Lease::begin_at_any(First const& first) {
    for (;;) {
        auto host = pool_->hosts_.choose(wait_.end());
        if (!host) return host.error();
        if (host_ != *host) connection_.reset();
        host_ = *std::move(host);
        if (!connection_) connection_ = pool_->take_idle(*host_);
        auto done = begin(first);
        if (done || !pool_->hosts_.suspect(*host_) || wait_.is_over()) return done;
        connection_.reset();
    }
}

parser::Result<void> Pool::Lease::begin(First const& first) {
    if (connection_) {
        auto done = start(first);
        if (done || wait_.is_over() || !pool_->hosts_.is_well(*host_)) return done;
    }
    // Another one may still be reached in time.
    auto const& hosts = pool_->hosts_;
    auto const by = hosts.is_alone()
                        ? wait_.end()
                        : std::min(wait_.end(), Clock::now() + hosts.rules().connect_timeout);
    auto opened = Connection::open(host_->url(), pool_->session_, by);
    if (!opened) return opened.error();
    connection_ = *std::move(opened);
    if (auto started = start(first); !started) return started;
    auto const together = connection_->try_together({.at = wait_.end()});
    if (!together) return together.error();
    return *together ? parser::Result<void>() : start(first);
}

parser::Result<void> Pool::Lease::start(First const& first) {
    if (first) first(*connection_);
    return connection_->command(start_snapshot, wait_.end());
}

parser::Result<Pool::Lease> Pool::snapshot(Wait wait) {
    auto lease = acquire(wait);
    if (!lease) return lease;
    if (auto begun = lease->begin_snapshot(); !begun) return begun.error();
    return lease;
}

parser::Result<Pool::Lease> Pool::acquire(Wait wait) {
    std::unique_lock lock(mutex_);
    // To give a place back needs no memory, whoever has it then.
    idle_.reserve(idle_.size() + leased_ + waiting_.size() + 1);
    Idle place;
    if (leased_ < size_) {
        ++leased_;
    } else {
        ++usage_->waits;
        Waiting self;
        waiting_.push_back(&self);
        report();
        if (!self.ready.wait_until(lock, wait.end(), [&] { return self.place.has_value(); })) {
            std::erase(waiting_, &self);
            report();
            ++usage_->timeouts;
            return in_vain(wait, "no database connection was free");
        }
        place = *std::move(self.place);
    }
    report();
    return Lease(*this, wait, std::move(place.host), std::move(place.connection));
}

std::unique_ptr<Connection> Pool::take_idle(Host const& host) {
    std::lock_guard const lock(mutex_);
    auto const last = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [&](Idle const& idle) { return idle.host.get() == &host; });
    if (last == idle_.rend()) return nullptr;
    auto connection = std::move(last->connection);
    idle_.erase(std::next(last).base());
    report();
    return connection;
}

void Pool::report() {
    usage_->open = leased_ + idle_.size();
    usage_->idle = idle_.size();
    usage_->waiting = waiting_.size();
}

// Who waited longest gets the place, and where there is one host the connection with it: a new
// transaction ends the one before as well. Were the place left free, others often took it before
// who was woken for it ran, and waited again.
void Pool::give_back(Idle idle) {
    bool const is_alone = hosts_.is_alone();
    if (idle.connection && hosts_.is_gone(*idle.host)) idle.connection.reset();
    std::unique_lock lock(mutex_);
    bool const goes_along = is_alone && !waiting_.empty();
    if (idle.connection && !goes_along) {
        lock.unlock();
        bool const is_sound(idle.connection->command(commit, Clock::now() + longest_commit));
        if (!is_sound) idle.connection.reset();
        lock.lock();
        if (is_sound) idle_.push_back(std::exchange(idle, {}));
    }
    if (waiting_.empty()) {
        --leased_;
    } else {
        Waiting& first = *waiting_.front();
        waiting_.pop_front();
        first.place = std::move(idle);
        first.ready.notify_one(); // within the lock: it is gone once its place is taken
    }
    report();
}

void Pool::clear() {
    std::vector<Idle> closing; // outside of the lock
    {
        std::lock_guard const lock(mutex_);
        closing.swap(idle_);
        report();
    }
}

} // namespace db
