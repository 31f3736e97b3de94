#pragma once

#include "db/hosts/hosts.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/watchdog.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

// A fixed number of places for connections, which are opened when first needed and kept. Where
// there are several hosts each lease gets the one that is to be asked, and so many connections to
// each are kept. No auto-reconnect: a broken connection is dropped.

namespace db {

// What is read of one moment: a statement is so by itself, several are in a snapshot.
enum class Extent { statement, snapshot };

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

    Pool(DatabaseHosts const& database, SessionOptions session, std::size_t size);

    // One of the pool's, free or leased.
    struct Place {
        HostPointer host; // of the connection
        std::unique_ptr<Connection> connection = nullptr;
        Time used{}; // when it was given back
    };

    // A place in the pool for as long as the lease lives, with a connection from begin() on. On
    // return it goes back to the pool, unless it is_broken().
    class Lease {
      public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        // A snapshot, which ends with the lease. Opens the connection of a new place, and replaces
        // one that the server closed while it was idle, unseen. `unavailable` without a server, or
        // where it takes longer than acquire() was given. Of several hosts one after the other is
        // tried.
        // For a statement alone nothing is sent before it where the connection was used a moment
        // ago; elsewhere it is a snapshot, too. One that is lost all the same is replaced by who
        // begins a snapshot then.
        // `first` is called on the connection right before, and again on one that replaces it.
        using First = std::function<void(Connection&)>;
        parser::Result<void> begin(Extent extent = Extent::snapshot, First const& first = {});

        Connection& operator*() const { return *place_.connection; }
        Connection* operator->() const { return place_.connection.get(); }

      private:
        friend class Pool;
        Lease(Pool& pool, Wait wait, Place place);
        parser::Result<void> begin_at_any(Extent extent, First const& first);
        parser::Result<void> begin_there(Extent extent, First const& first);
        parser::Result<void> start(Extent extent, First const& first);
        bool was_used_just_now() const;
        void drop();

        Pool* pool_;
        Wait wait_;
        Place place_;
    };

    // `unavailable` if there is no free place in time; first come, first served. Any thread.
    parser::Result<Lease> acquire(Wait wait);
    // Both at once, for who has nothing to do between them.
    parser::Result<Lease> snapshot(Wait wait);

    // From now on `usage` is kept up to date, which outlives the pool. Call it before any use.
    void report_to(PoolUsage& usage) { usage_ = &usage; }

    // Which of them are asked, and what is known of them.
    Hosts& hosts() { return hosts_; }

    // Closes idle connections; for after a fork or a reload.
    void clear();

  private:
    struct Waiting {
        std::condition_variable ready;
        std::optional<Place> place; // perhaps with a connection
    };
    void give_back(Place place);
    void take_idle(Place& place);
    void report();

    Hosts hosts_;
    Watchdog watchdog_;
    SessionOptions session_;
    std::size_t const size_;
    std::mutex mutex_;
    std::vector<Place> idle_; // the last ones were used last
    std::size_t leased_ = 0;
    std::deque<Waiting*> waiting_; // in the order in which they came
    PoolUsage unread_;
    PoolUsage* usage_ = &unread_;
};

} // namespace db
