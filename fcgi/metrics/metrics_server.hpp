#pragma once

#include "fcgi/handler/service.hpp"
#include "fcgi/metrics/metrics.hpp"
#include "fcgi/process/events.hpp"
#include "fcgi/process/listener.hpp"

#include <memory>

namespace fcgi {

// Answers `GET /metrics`, `/_health` and `/_ready` over HTTP on a listener of its own. A client has
// two seconds to send its request and two to take the response, and no other waits for it.
class MetricsServer {
  public:
    // Probes are answered as for other clients, readiness in a thread that does nothing else. All
    // arguments must outlive this.
    MetricsServer(Listener const& listener, Metrics const& metrics, Service& service,
                  Observer const& observe);
    ~MetricsServer();

  private:
    class Client;
    class Threads;
    std::unique_ptr<Threads> threads_; // hides headers that take long to compile
};

} // namespace fcgi
