#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

// Ends what a server does not: the time limits of Connector/C++ begin anew with every byte that
// arrives, so that a server, or a network, that drips or stops could hold a thread for good. The
// watchdog shuts the socket of what is overdue, and the call of the Connector fails at once.
//
// The Connector tells nobody its sockets. So one connection at a time is opened, and its socket is
// the one of the process that leads to a database and that no other connection has. Who connects to
// a database by other means has to say so (Watchdog::Other).

namespace db {

class Watchdog {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;
    static constexpr Time never = Time::max();
    // What is overdue ends within this.
    static constexpr std::chrono::milliseconds interval{100};

    Watchdog();
    ~Watchdog();

    // A socket that leads to a database and is not the Connector's: no watchdog takes it for one,
    // as long as this lives. Any thread.
    class Other {
      public:
        explicit Other(int descriptor);
        ~Other();
        Other(Other const&) = delete;

      private:
        ino_t inode_;
    };

    // As long as this lives no socket is looked for: for who makes one that is an Other at its end.
    class Making {
      public:
        Making();

      private:
        std::lock_guard<std::mutex> lock_;
    };

    // Of one connection, from before it is opened until after it is closed. Used by one thread at a
    // time, but for the watchdog's.
    class Watch {
      public:
        // `watchdog` may be null, and then nothing is watched; else it outlives this. `address` is
        // that of the server.
        Watch(Watchdog* watchdog, std::string address);
        ~Watch();

        // Waits until no other connection is being opened, at most until `by`: false. What is
        // opened until opened() is shut when it takes longer.
        bool open(unsigned port, Time by); // port 0: by a unix socket
        void opened();

        // It is overdue from `by` on, until the end of the Task, and no later than that of a Task
        // which this one is part of.
        class Task {
          public:
            Task(Watch& watch, Time by);
            ~Task();
            Task(Task const&) = delete;

          private:
            Watch& watch_;
            Time const before_;
        };

        // Shuts the socket. From now on, or before if the watchdog did, the connection is of no
        // use.
        void cut();
        bool was_cut() const { return cut_; }
        bool was_silent() const { return silent_; }

      private:
        friend class Watchdog;
        void shut(); // with the watchdog's mutex

        Watchdog* const watchdog_;
        std::string const address_;
        std::atomic<Time> overdue_ = never;
        std::atomic<bool> cut_ = false;
        std::atomic<bool> silent_ = false;
        std::optional<unsigned> opening_; // the port
        std::unique_lock<std::timed_mutex> turn_;
        // A descriptor of our own, since the Connector closes its own when the connection is lost,
        // and the number comes again.
        int socket_ = -1;
        ino_t inode_ = 0; // of the socket
    };

    // Cuts what is under way at that server, which was found to be silent. Any thread.
    void cut_silent(std::string const& address);

  private:
    void run();
    void wake();
    bool has_tasks() const;
    void cut_overdue(Time now);
    void find_socket(Watch& watch) const;
    bool is_known(ino_t inode) const;

    std::timed_mutex opening_;
    std::mutex mutex_;
    std::vector<Watch*> watches_;
    std::condition_variable changed_;
    std::atomic<bool> asleep_ = false; // there is nothing to watch
    bool stopped_ = false;
    std::thread thread_;
};

} // namespace db
