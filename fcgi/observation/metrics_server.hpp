#pragma once

#include "fcgi/observation/metrics.hpp"
#include "fcgi/process/listener.hpp"

#include <thread>
#include <vector>

namespace fcgi {

// Answers `GET /metrics` over HTTP on a listener of its own, in a thread of its own. A client has
// two seconds, and keeps no other waiting. Processes that share the listener may each have one.
class MetricsServer {
  public:
    // Both outlive it.
    MetricsServer(Listener const& listener, Metrics const& metrics);
    ~MetricsServer();

  private:
    class Client;

    void run() const;
    void accept(std::vector<Client>& clients) const;
    static int milliseconds_until_first(std::vector<Client> const& clients);

    Listener const& listener_;
    Metrics const& metrics_;
    int stop_event_;
    std::thread thread_;
};

} // namespace fcgi
