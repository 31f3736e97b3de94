#pragma once

#include "fcgi/events/events.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace fcgi {

// The sentence that `systemctl status` shows, told whenever it becomes another. Any thread.
class ServiceStatus {
  public:
    void operator()(Event const& event);

  private:
    void tell() const;

    std::mutex mutex_;    // of all below
    std::string address_; // where we serve; empty: not yet
    std::optional<std::chrono::system_clock::time_point> away_since_; // the database
    std::optional<std::size_t> draining_;                             // requests
};

} // namespace fcgi
