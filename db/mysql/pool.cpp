#include "db/mysql/pool.hpp"

#include "parser/base/limits.hpp"

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

Pool::Pool(DatabaseUrl url, SessionOptions session, std::size_t size)
    : url_(std::move(url)), session_(session), size_(size) {
    session_.watchdog = &watchdog_;
}

Pool::Lease::Lease(Pool& pool, std::unique_ptr<Connection> connection, Wait wait)
    : pool_(&pool), wait_(wait), connection_(std::move(connection)) {
}

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      wait_(other.wait_),
      connection_(std::move(other.connection_)) {
}

Pool::Lease::~Lease() {
    if (!pool_) return;
    if (connection_ && (connection_->is_broken() || connection_->holds_much())) connection_.reset();
    pool_->give_back(std::move(connection_));
}

parser::Result<void> Pool::Lease::begin_snapshot(First const& first) {
    std::string why;
    if (!wait_.is_over()) {
        auto done = begin(first);
        if (done || !wait_.is_over()) return done;
        why = ": " + done.error().cause;
    }
    ++pool_->usage_->timeouts;
    auto error = in_vain(wait_, "no database connection was ready");
    error.cause += why;
    return error;
}

parser::Result<void> Pool::Lease::begin(First const& first) {
    if (connection_) {
        auto done = start(first);
        if (done || wait_.is_over()) return done;
    }
    auto opened = Connection::open(pool_->url_, pool_->session_, wait_.end());
    if (!opened) return opened.error();
    connection_ = *std::move(opened);
    return start(first);
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
    auto const is_free = [this] { return !idle_.empty() || open_ < size_; };
    if (!is_free()) {
        ++usage_->waits;
        ++waiting_;
        report();
        bool const got_one = returned_.wait_until(lock, wait.end(), is_free);
        --waiting_;
        report();
        if (!got_one) {
            ++usage_->timeouts;
            return in_vain(wait, "no database connection was free");
        }
    }
    std::unique_ptr<Connection> connection;
    if (idle_.empty()) {
        idle_.reserve(size_); // to give it back needs no memory
        ++open_;
    } else {
        connection = std::move(idle_.back());
        idle_.pop_back();
    }
    report();
    return Lease(*this, std::move(connection), wait);
}

void Pool::report() {
    usage_->open = open_;
    usage_->idle = idle_.size();
    usage_->waiting = waiting_;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    {
        std::unique_lock lock(mutex_);
        // Whoever waits for it starts a transaction, which ends the one before as well.
        bool const is_awaited = waiting_ > idle_.size();
        if (connection && !is_awaited) {
            lock.unlock();
            if (!connection->command(commit, Clock::now() + longest_commit)) connection.reset();
            lock.lock();
        }
        if (connection)
            idle_.push_back(std::move(connection));
        else
            --open_;
        report();
    }
    returned_.notify_one();
}

void Pool::clear() {
    std::vector<std::unique_ptr<Connection>> closing; // outside of the lock
    {
        std::lock_guard const lock(mutex_);
        closing.swap(idle_);
        open_ -= closing.size();
        report();
    }
    returned_.notify_all();
}

} // namespace db
