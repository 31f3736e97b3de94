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

// Ends calls that a server does not end. The timeouts of Connector/C++ start again with every byte
// that arrives, so a server or a network that is very slow or stops could hold a thread for ever.
// The watchdog shuts the socket of an overdue call, so that the call fails at once.
//
// The Connector does not expose its sockets. So one connection at a time is opened, and its socket
// is the one of the process that leads to a database and that no other connection has. Code that
// connects to a database by other means has to declare its sockets (Watchdog::Other).

namespace db {

class Watchdog {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;
    static constexpr Time never = Time::max();
    // An overdue call ends within this time.
    static constexpr std::chrono::milliseconds interval{100};

    Watchdog();
    ~Watchdog();

    // Declares a socket that leads to a database and is not the Connector's. As long as this lives,
    // no watchdog takes it for a socket of the Connector. Any thread.
    class Other {
      public:
        explicit Other(int descriptor);
        ~Other();
        Other(Other const&) = delete;

      private:
        ino_t inode_;
    };

    // No watchdog looks for a socket as long as this lives. It is for code that opens a socket and
    // declares it as an Other before this ends.
    class Making {
      public:
        Making();

      private:
        std::lock_guard<std::mutex> lock_;
    };

    // Watches one connection, from before it is opened until after it is closed. One thread uses it
    // at a time, apart from the watchdog's own.
    class Watch {
      public:
        // `watchdog` may be null, and then nothing is watched; otherwise it outlives this.
        // `address` is that of the server.
        Watch(Watchdog* watchdog, std::string address);
        ~Watch();

        // Waits until no other connection is being opened; returns false if that takes until `by`.
        // The connection that you open between this and opened() is shut once it is overdue.
        bool open(unsigned port, Time by); // port 0: by a unix socket
        void opened();

        // Until this Task ends the connection is overdue from `by` on, or from the time of a Task
        // that this one is part of, if that is earlier.
        class Task {
          public:
            Task(Watch& watch, Time by);
            ~Task();
            Task(Task const&) = delete;

          private:
            Watch& watch_;
            Time const before_;
        };

        // Shuts the socket. The connection is unusable from then on, or from when the watchdog did
        // it.
        void cut();
        bool was_cut() const { return cut_; }
        bool was_silent() const { return silent_; }

      private:
        friend class Watchdog;
        void shut(); // the watchdog's mutex is held

        Watchdog* const watchdog_;
        std::string const address_;
        std::atomic<Time> overdue_ = never;
        std::atomic<bool> cut_ = false;
        std::atomic<bool> silent_ = false;
        std::optional<unsigned> opening_; // the port
        std::unique_lock<std::timed_mutex> turn_;
        // This is a descriptor of our own, since the Connector closes its own when the connection
        // is lost, and the number is used again.
        int socket_ = -1;
        ino_t inode_ = 0; // of the socket
    };

    // Cuts what is in flight at that server, which was found to be silent. Any thread.
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
