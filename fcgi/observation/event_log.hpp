#pragma once

#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

#include <atomic>
#include <chrono>
#include <memory>

namespace fcgi {

// What the log says of each event. Any thread.
class EventLog {
  public:
    explicit EventLog(LogOptions const& options);
    void operator()(Event const& event) const;
    // From now on it goes by these, and so do its copies.
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
