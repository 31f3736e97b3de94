#pragma once

#include "fcgi/process/events.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace fcgi {

// Sends the sentence that `systemctl status` shows whenever it changes. Any thread may call it.
class ServiceStatus {
  public:
    void operator()(Event const& event);

  private:
    void tell() const;

    std::mutex mutex_;    // protects all below
    std::string address_; // where we serve; empty: nowhere yet
    std::optional<std::chrono::system_clock::time_point> away_since_; // when the database went away
    std::optional<std::size_t> draining_;                             // requests in flight
};

} // namespace fcgi
