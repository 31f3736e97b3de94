#include "db/mysql/pool.hpp"

#include "parser/base/limits.hpp"

#include <string>
#include <utility>

namespace db {

namespace {

constexpr SqlPiece start_snapshot = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
constexpr SqlPiece commit = "COMMIT";

} // namespace

Pool::Pool(DatabaseUrl url, SessionOptions session, std::size_t size)
    : url_(std::move(url)), session_(session), size_(size) {
}

Pool::Lease::Lease(Pool& pool, std::unique_ptr<Connection> connection)
    : pool_(&pool), connection_(std::move(connection)) {
}

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), connection_(std::move(other.connection_)) {
}

Pool::Lease::~Lease() {
    if (!pool_) return;
    if (connection_ && connection_->is_broken()) connection_.reset();
    pool_->give_back(std::move(connection_));
}

parser::Result<void> Pool::Lease::begin_snapshot() {
    if (connection_ && connection_->command(start_snapshot)) return {};
    auto opened = Connection::open(pool_->url_, pool_->session_);
    if (!opened) return opened.error();
    connection_ = *std::move(opened);
    return connection_->command(start_snapshot);
}

parser::Result<Pool::Lease> Pool::snapshot(std::chrono::milliseconds timeout) {
    auto lease = acquire(timeout);
    if (!lease) return lease;
    if (auto begun = lease->begin_snapshot(); !begun) return begun.error();
    return lease;
}

parser::Result<Pool::Lease> Pool::acquire(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    auto const is_free = [this] { return !idle_.empty() || open_ < size_; };
    if (!is_free()) {
        ++usage_->waits;
        ++waiting_;
        report();
        bool const got_one = returned_.wait_for(lock, timeout, is_free);
        --waiting_;
        report();
        if (!got_one) {
            ++usage_->timeouts;
            std::string const limit(parser::row_of(&parser::Limits::acquire).option);
            auto error = parser::unavailable("no database connection was free within " + limit +
                                             " (" + std::to_string(timeout.count()) + " ms)");
            error.subject = std::make_shared<parser::Error::Subject const>(
                parser::Error::Subject{.limit = limit});
            return error;
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
    return Lease(*this, std::move(connection));
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
            if (!connection->command(commit)) connection.reset();
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
