#pragma once

#include "fcgi/listener.hpp"
#include "fcgi/metrics.hpp"

#include <thread>

namespace fcgi {

// Answers `GET /metrics` over HTTP on a listener of its own, one client after the other, in a
// thread of its own. A client has two seconds. Processes that share the listener may each have one.
class MetricsServer {
  public:
    // Both outlive it.
    MetricsServer(Listener const& listener, Metrics const& metrics);
    ~MetricsServer();

  private:
    void run() const;
    void answer(int client) const;

    Listener const& listener_;
    Metrics const& metrics_;
    int stop_event_;
    std::thread thread_;
};

} // namespace fcgi
