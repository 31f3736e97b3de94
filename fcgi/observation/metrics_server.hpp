#pragma once

#include "fcgi/answer/service.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/observation/metrics.hpp"
#include "fcgi/process/listener.hpp"

#include <memory>

namespace fcgi {

// Answers `GET /metrics`, `/_health` and `/_ready` over HTTP on a listener of its own. A client has
// two seconds to ask and two to take the answer, and keeps no other waiting. Processes that share
// the listener may each have one.
class MetricsServer {
  public:
    // Probes are answered as for other clients, readiness in a thread that does nothing else. All
    // of them outlive it.
    MetricsServer(Listener const& listener, Metrics const& metrics, Service& service,
                  Observer const& observe);
    ~MetricsServer();

  private:
    class Client;
    class Threads;
    std::unique_ptr<Threads> threads_; // the library's headers are expensive
};

} // namespace fcgi
