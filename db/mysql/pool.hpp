#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/hosts.hpp"
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

// A pool has a fixed number of slots for connections, which are opened when first needed and kept.
// If there are several hosts, each lease gets a connection to the one that is to be read, and up
// to that number of connections to each host are kept. There is no auto-reconnect: a broken
// connection is dropped. If it was cut and the server continues its statement (MariaDB checks only
// between rows whether to end), that statement takes a slot as well: no server ever has more
// statements in flight than there are slots. If the server grants fewer connections than there are
// slots, there are only so many slots until it grants another, which is tried now and then.

namespace db {

// What is read as of one moment. A single statement needs no snapshot for that; several statements
// need one.
enum class Extent { statement, snapshot };

// How a pool is used. The code that reads the counters owns them, possibly in shared memory.
struct PoolUsage {
    std::atomic<std::uint64_t> open = 0, idle = 0, waiting = 0; // at this moment
    std::atomic<std::uint64_t> left = 0;                // of `open`: without a connection, see Pool
    std::atomic<std::uint64_t> waits = 0, timeouts = 0; // since the start
};

class Pool;
// Closes a connection of the pool, which counts those that are open.
struct CloseOfPool {
    Pool* pool = nullptr;
    void operator()(Connection* connection) const;
};

// One of a pool's places, free or leased.
struct PoolSlot {
    HostPointer host; // of the connection
    std::unique_ptr<Connection, CloseOfPool> connection = nullptr;
    Watchdog::Time used{}; // when it was given back
};

class Pool {
  public:
    using Clock = Watchdog::Clock;
    using Time = Watchdog::Time;

    // How long to wait, for a slot and a snapshot together.
    struct Wait {
        template<class Rep, class Period>
        Wait(std::chrono::duration<Rep, Period> most, Time from = Clock::now())
            : timeout(most), since(from) {}

        std::chrono::milliseconds timeout;
        Time since; // may be earlier, if other things were waited for before

        Time end() const { return since + timeout; }
        bool is_over() const { return Clock::now() >= end(); }
    };

    Pool(DatabaseHosts const& database, SessionOptions session, std::size_t size);
    ~Pool();

    // Holds a slot in the pool for as long as it lives, with a connection from connect() on. At
    // its end the connection goes back to the pool, unless it is_broken() or holds_much().
    class Lease {
      public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        // Takes an idle connection to the host that is to be read, or opens one. If there are
        // several hosts, it tries one after the other. If the server refuses another connection, it
        // waits for one that is released. Fails with `unreachable` if no server can be reached, or
        // if it grants no connection at all, and with `unavailable` if it takes longer than
        // acquire() was given.
        parser::Result<void> connect();
        // Begins a snapshot on that connection, which ends with the lease. For a single statement
        // it sends nothing if the connection was used a moment ago; otherwise it begins a snapshot,
        // too. Returns false if the connection was lost (the server may have closed it while it was
        // idle) or Connection::try_together() returned false: call connect() and this again. (All
        // reasons to send a statement again: read() in fcgi/handler/handle_request.hpp.) Errors are
        // those of connect().
        parser::Result<bool> try_begin(Extent extent);
        // Calls both until a snapshot has begun, for code that does nothing between the calls.
        parser::Result<void> begin(Extent extent = Extent::snapshot);

        Connection& operator*() const { return *slot_.connection; }
        Connection* operator->() const { return slot_.connection.get(); }

      private:
        friend class Pool;
        Lease(Pool& pool, Wait wait, PoolSlot slot);
        parser::Result<void> connect_to_any();
        parser::Result<void> open();
        parser::Result<bool> begin_there(Extent extent);
        template<class T>
        parser::Result<T> in_time(parser::Result<T> done);
        bool was_used_just_now() const;
        void drop();

        Pool* pool_;
        Wait wait_;
        PoolSlot slot_;
        bool is_new_ = false;     // this lease opened the connection, and has begun nothing on it
        bool is_refused_ = false; // the server took no more connections, when asked last
        bool was_lost_ = false;   // the connection before was; idle ones may be lost, too
    };

    // Fails with `unavailable` if no slot is free in time; first come, first served. Any thread.
    parser::Result<Lease> acquire(Wait wait);
    // Acquires a lease and begins a snapshot, for code that does nothing between the calls.
    parser::Result<Lease> snapshot(Wait wait);

    // Keeps `usage`, which outlives the pool, up to date from now on. Call it before any use.
    void report_to(PoolUsage& usage) { usage_ = &usage; }

    // Decides which hosts are used, and holds what is known about them.
    Hosts& hosts() { return hosts_; }

    // Called by the thread that finds that no host gives a connection any more, or that one does
    // again. Set it before anything else is called.
    std::function<void(bool is_away)> report_away = [](bool) {};
    // Called by the thread that finds that the server grants fewer connections than the pool has
    // places, and why; again if it is another number.
    std::function<void(std::size_t granted, std::string const& why)> report_granted =
        [](std::size_t, std::string const&) {};

    // Closes idle connections. Call it after a fork or a reload.
    void clear();

  private:
    friend CloseOfPool;
    struct Waiter {
        std::condition_variable ready;
        std::optional<PoolSlot> slot; // perhaps with a connection
    };
    // A statement whose connection was cut, for as long as its host may go on with it.
    struct Leftover {
        HostPointer host;
        std::uint64_t connection; // its number there
        Time known;               // when it was last known to run
    };
    void give_back(PoolSlot slot);
    bool has_free_slot() const;
    void try_more();
    parser::Result<PoolSlot> wait_for_slot(std::unique_lock<std::mutex>& lock, Wait const& wait,
                                           std::size_t given_up = 0);
    parser::Result<PoolSlot> exchange(Wait const& wait, std::string const& why);
    void note_opened();
    void admit(PoolSlot slot);
    void close(PoolSlot& slot);
    void add_leftover(HostPointer const& host, std::uint64_t connection);
    void ask_for_leftovers();
    void drop_leftovers(Host const& host);
    void take_idle(PoolSlot& slot);
    void report();
    void note(bool is_away);

    Hosts hosts_;
    Watchdog watchdog_;
    SessionOptions session_;
    std::size_t const size_;
    std::atomic<std::size_t> open_ = 0; // connections, idle or leased
    std::mutex mutex_;
    std::size_t granted_; // as many places are used; at most size_
    Time try_more_{};     // another one is tried then
    std::size_t reported_granted_ = 0;
    std::vector<PoolSlot> idle_; // ordered by their last use
    std::size_t leased_ = 0;
    std::deque<Waiter*> waiting_; // in the order in which they came
    std::vector<Leftover> leftovers_;
    std::condition_variable left_; // a leftover was added, or the pool ends
    bool ends_ = false;
    std::thread polling_; // looks for the end of leftovers; starts with the first one
    PoolUsage unread_;
    PoolUsage* usage_ = &unread_;
    std::atomic<bool> is_away_ = false;
};

} // namespace db
