#pragma once

#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fcgi {

// Returns the message of its line; empty: it has none.
std::string text_of(Notice const& notice);

// Writes the log lines of each event. Any thread may call it.
class EventLog {
  public:
    explicit EventLog(LogOptions const& options);
    void operator()(Event const& event) const;
    // Applies these options from now on, also to its copies.
    void use(LogOptions const& options) const;

  private:
    struct Current {
        std::atomic<LoggedRequests> requests;
        std::atomic<bool> query;
        std::atomic<std::chrono::milliseconds> slow;
    };
    std::shared_ptr<Current> current_;
};

// Sends the sentence that `systemctl status` shows whenever it changes. Any thread may call it.
class ServiceStatus {
  public:
    void operator()(Event const& event);

  private:
    void report() const;

    std::mutex mutex_;    // protects all below
    std::string address_; // where we serve; empty: nowhere yet
    std::optional<std::chrono::system_clock::time_point> away_since_; // when the database went away
    std::optional<std::size_t> draining_;                             // requests in flight
};

} // namespace fcgi
