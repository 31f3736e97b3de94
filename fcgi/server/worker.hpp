#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/server/crowd.hpp"
#include "fcgi/server/delivery.hpp"

#include <thread>
#include <vector>

namespace fcgi {

// Takes requests from the queue and sends their responses, one after another, on one thread.
class Worker {
  public:
    // All arguments outlive this.
    Worker(Service& service, ServerOptions const& options, RequestQueue& queue, Answered& answered,
           Crowd& crowd)
        : service_(service),
          options_(options),
          queue_(queue),
          crowd_(crowd),
          delivery_(options, queue, answered) {}

    // Runs until the queue is closed and empty.
    void run();

  private:
    void handle(Client& client);
    bool make_response(Client& client);
    Attempt read(Exchange const& exchange);

    Service& service_;
    ServerOptions const& options_;
    RequestQueue& queue_;
    Crowd& crowd_;
    Delivery delivery_;
};

// Runs a fixed number of workers, each on its own thread.
class Workers {
  public:
    // Signals that the caller blocks stay blocked in the workers, so that no signal interrupts a
    // request.
    Workers(Service& service, ServerOptions const& options, RequestQueue& queue,
            Answered& answered);
    // Answers the requests that were handed over, then ends the threads.
    ~Workers() { end(); }

  private:
    void end();

    RequestQueue& queue_;
    Crowd crowd_;
    std::vector<std::thread> threads_;
};

} // namespace fcgi
