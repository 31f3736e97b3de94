#pragma once

#include "db/mysql/connection.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

// A fixed number of connections, opened when first needed and kept. No auto-reconnect: a broken
// connection is dropped and its place is free for a new one.

namespace db {

// How a pool is used. Whoever wants to know it owns this, and may have it in shared memory.
struct PoolUsage {
    std::atomic<std::uint64_t> open = 0, idle = 0, waiting = 0; // at this moment
    std::atomic<std::uint64_t> waits = 0, timeouts = 0;         // since ever
};

class Pool {
  public:
    Pool(DatabaseUrl url, SessionOptions session, std::size_t size);

    // A connection for as long as the lease lives. On return it goes back to the pool, unless it
    // is_broken().
    class Lease {
      public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();
        Connection& operator*() const { return *connection_; }
        Connection* operator->() const { return connection_.get(); }

      private:
        friend class Pool;
        Lease(Pool& pool, std::unique_ptr<Connection> connection);
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    // A connection in a read-only snapshot (START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY):
    // all that is read through it is of one moment. Ends with the lease. A pooled connection that
    // the server closed while it was idle is replaced here, unseen. 503 if `acquire` passes without
    // a free place or without a server. Any thread.
    // `before_it` is called when a place is free, before the snapshot begins.
    parser::Result<Lease>
    snapshot(std::chrono::milliseconds acquire, std::function<void()> const& before_it = [] {});

    // From now on `usage` is kept up to date, which outlives the pool. Call it before any use.
    void report_to(PoolUsage& usage) { usage_ = &usage; }

    // Closes idle connections; for after a fork or a reload.
    void clear();

  private:
    // A lease on an idle connection, or on none yet.
    parser::Result<Lease> take_place(std::chrono::milliseconds acquire);
    // Null: the place is free.
    void give_back(std::unique_ptr<Connection> connection);
    void report();

    DatabaseUrl const url_;
    SessionOptions const session_;
    std::size_t const size_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::unique_ptr<Connection>> idle_;
    std::size_t open_ = 0; // idle and leased
    std::size_t waiting_ = 0;
    PoolUsage unread_;
    PoolUsage* usage_ = &unread_;
};

} // namespace db
