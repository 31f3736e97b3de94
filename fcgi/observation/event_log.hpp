#pragma once

#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

namespace fcgi {

// What the log says of each event. Any thread.
class EventLog {
  public:
    explicit EventLog(Options const& options) : options_(options) {}
    void operator()(Event const& event) const;

  private:
    Options const& options_;
};

} // namespace fcgi
