#pragma once

#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"

#include <atomic>
#include <chrono>
#include <memory>
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

} // namespace fcgi
