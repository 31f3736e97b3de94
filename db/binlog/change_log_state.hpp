#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/changes.hpp"
#include "db/mysql/wire.hpp"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

// The internals of a ChangeLog, for its sources, those of Inquiry and wrong protocols only.

namespace db {

// Wakes the thread that waits for the descriptor.
class Bell {
  public:
    Bell();
    ~Bell();
    Bell(Bell const&) = delete;

    void ring(); // any thread
    void still();
    int descriptor() const { return descriptor_; }

  private:
    int const descriptor_;
};

// What is constant within an epoch.
struct Epoch {
    std::uint64_t number = 0;
    std::string server; // as server_of() returns it
    std::string uuid;   // of MySQL; empty: MariaDB
    std::string_view end_statement;

    bool is_mysql() const { return !uuid.empty(); }
};

struct ChangeLog::State {
    State(Settings its_settings, Observe its_observe)
        : settings(std::move(its_settings)), observe(std::move(its_observe)), url(settings.url) {}

    // Ends that epoch; does nothing if it is not the current one any more. Any thread.
    void end_epoch(std::uint64_t number, Ending its_ending);
    // Returns null if there is none.
    std::shared_ptr<Epoch const> current_epoch();
    // Asks where the binlog ends, and waits for that. Returns none if it is not known.
    std::optional<Position> ask_end(Epoch const& epoch, Wire::Clock::time_point by);
    void ring();
    // Runs one epoch after another, on the thread of its own.
    void run_stream();

    Settings const settings;
    Observe const observe;
    ChangeLogUsage unread_usage;
    ChangeLogUsage* usage = &unread_usage;
    LastChanges changes;
    Interrupter interrupter;               // ends what the stream's thread waits for
    std::atomic<bool> is_elsewhere{false}; // a connection of the pool led to another server
    // When the inquiry was sent that has no reply yet, as a count of the clock; 0: there is none.
    std::atomic<Wire::Clock::rep> inquiry_since{0};

    std::mutex mutex;
    // The mutex guards these:
    std::condition_variable woken;
    bool is_stopped = false;
    std::optional<DatabaseUrl> url;     // of the server to follow now
    std::shared_ptr<Epoch const> epoch; // the one with the number in `changes`, or the last one
    std::unique_ptr<Wire> inquiry_wire; // the connection for it, until the Inquiry takes that
    std::shared_ptr<Bell> bell;         // of the Inquiry
    Ending ending;                      // of the last epoch that ended

    std::mutex end_mutex;      // guards the next member
    std::unique_ptr<Wire> end; // the connection of the epoch for ask_end()

    std::thread thread;
};

} // namespace db
