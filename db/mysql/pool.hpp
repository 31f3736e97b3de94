#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/watchdog.hpp"

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
    using Clock = Watchdog::Clock;
    using Time = Watchdog::Time;

    // For a place and a snapshot together.
    struct Wait {
        template<class Rep, class Period>
        Wait(std::chrono::duration<Rep, Period> most, Time from = Clock::now())
            : timeout(most), since(from) {}

        std::chrono::milliseconds timeout;
        Time since; // who wants it may have waited for other things before

        Time end() const { return since + timeout; }
        bool is_over() const { return Clock::now() >= end(); }
    };

    Pool(DatabaseUrl url, SessionOptions session, std::size_t size);

    // A place in the pool for as long as the lease lives, with a connection from begin_snapshot()
    // on. On return it goes back to the pool, unless it is_broken().
    class Lease {
      public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        // A read-only snapshot (START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY): all that is
        // read from now on is of this moment. Ends with the lease. Opens the connection of a new
        // place, and replaces one that the server closed while it was idle, unseen.
        // `unavailable` without a server, or where it takes longer than acquire() was given.
        // `first` is called on the connection right before, and again on one that replaces it.
        using First = std::function<void(Connection&)>;
        parser::Result<void> begin_snapshot(First const& first = {});

        Connection& operator*() const { return *connection_; }
        Connection* operator->() const { return connection_.get(); }

      private:
        friend class Pool;
        Lease(Pool& pool, std::unique_ptr<Connection> connection, Wait wait);
        parser::Result<void> begin(First const& first);
        parser::Result<void> start(First const& first);

        Pool* pool_;
        Wait wait_;
        std::unique_ptr<Connection> connection_;
    };

    // `unavailable` if there is no free place in time. Any thread.
    parser::Result<Lease> acquire(Wait wait);
    // Both at once, for who has nothing to do between them.
    parser::Result<Lease> snapshot(Wait wait);

    // From now on `usage` is kept up to date, which outlives the pool. Call it before any use.
    void report_to(PoolUsage& usage) { usage_ = &usage; }

    // Closes idle connections; for after a fork or a reload.
    void clear();

  private:
    // Null: the place is free.
    void give_back(std::unique_ptr<Connection> connection);
    void report();

    DatabaseUrl const url_;
    Watchdog watchdog_;
    SessionOptions session_;
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
