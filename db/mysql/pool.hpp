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
#include <thread>
#include <vector>

// A fixed number of places for connections, which are opened when first needed and kept. Where
// there are several hosts each lease gets the one that is to be asked, and so many connections to
// each are kept. No auto-reconnect: a broken connection is dropped. Where it was cut and the server
// goes on with a statement of it (MariaDB looks between rows alone whether it is to end), that one
// takes a place as well: no server ever has more statements in flight than there are places.

namespace db {

// What is read of one moment: a statement is so by itself, several are in a snapshot.
enum class Extent { statement, snapshot };

// How a pool is used. Whoever wants to know it owns this, and may have it in shared memory.
struct PoolUsage {
    std::atomic<std::uint64_t> open = 0, idle = 0, waiting = 0; // at this moment
    std::atomic<std::uint64_t> left = 0; // of these that are open: without a connection, see Pool
    std::atomic<std::uint64_t> waits = 0, timeouts = 0; // since ever
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
    ~Pool();

    // One of the pool's, free or leased.
    struct Place {
        HostPointer host; // of the connection
        std::unique_ptr<Connection> connection = nullptr;
        Time used{}; // when it was given back
    };

    // A place in the pool for as long as the lease lives, with a connection from connect() on. On
    // return it goes back to the pool, unless it is_broken().
    class Lease {
      public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        // Has a connection to the host that is to be asked, and opens one where none is idle. Of
        // several hosts one after the other is tried. `unreachable` without a server,
        // `unavailable` where it takes longer than acquire() was given.
        parser::Result<void> connect();
        // Begins a snapshot on that connection, which ends with the lease. For a statement alone
        // nothing is sent where the connection was used a moment ago; elsewhere it is a snapshot,
        // too. False: the connection was none any more, closed by the server while it was idle,
        // say; then connect() finds another. Errors are those of connect().
        parser::Result<bool> try_begin(Extent extent);
        // Both, until a snapshot has begun: for whoever has nothing to do between them.
        parser::Result<void> begin(Extent extent = Extent::snapshot);

        Connection& operator*() const { return *place_.connection; }
        Connection* operator->() const { return place_.connection.get(); }

      private:
        friend class Pool;
        Lease(Pool& pool, Wait wait, Place place);
        parser::Result<void> connect_to_any();
        parser::Result<void> open();
        parser::Result<bool> begin_there(Extent extent);
        template<class T>
        parser::Result<T> in_time(parser::Result<T> done);
        bool was_used_just_now() const;
        void drop();

        Pool* pool_;
        Wait wait_;
        Place place_;
        bool is_new_ = false;   // the connection: opened by this lease, and nothing was begun on it
        bool was_lost_ = false; // the one before: those that are idle may be lost likewise
    };

    // `unavailable` if there is no free place in time; first come, first served. Any thread.
    parser::Result<Lease> acquire(Wait wait);
    // Both at once, for who has nothing to do between them.
    parser::Result<Lease> snapshot(Wait wait);

    // From now on `usage` is kept up to date, which outlives the pool. Call it before any use.
    void report_to(PoolUsage& usage) { usage_ = &usage; }

    // Which of them are asked, and what is known of them.
    Hosts& hosts() { return hosts_; }

    // Called by whoever finds that no host gives a connection any more, or that one does again. Set
    // before any use.
    std::function<void(bool is_away)> tell = [](bool) {};

    // Closes idle connections; for after a fork or a reload.
    void clear();

  private:
    struct Waiting {
        std::condition_variable ready;
        std::optional<Place> place; // perhaps with a connection
    };
    // A statement without a connection, as long as its host has it.
    struct Leftover {
        HostPointer host;
        std::uint64_t connection; // its number there
        Time known;               // there is one, as of then
    };
    void give_back(Place place);
    bool has_free_place() const;
    void admit(Place place);
    void close(Place& place);
    void add_leftover(HostPointer const& host, std::uint64_t connection);
    void ask_for_leftovers();
    void forget_leftovers(Host const& host);
    void take_idle(Place& place);
    void report();
    void note(bool is_away);

    Hosts hosts_;
    Watchdog watchdog_;
    SessionOptions session_;
    std::size_t const size_;
    std::mutex mutex_;
    std::vector<Place> idle_; // the last ones were used last
    std::size_t leased_ = 0;
    std::deque<Waiting*> waiting_; // in the order in which they came
    std::vector<Leftover> leftovers_;
    std::condition_variable left_; // or it ends
    bool ends_ = false;
    std::thread asking_; // for leftovers, from the first on
    PoolUsage unread_;
    PoolUsage* usage_ = &unread_;
    std::atomic<bool> is_away_ = false;
};

} // namespace db
