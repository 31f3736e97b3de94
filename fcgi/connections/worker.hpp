#pragma once

#include "fcgi/connections/client.hpp"
#include "fcgi/connections/crowd.hpp"
#include "fcgi/connections/request_queue.hpp"
#include "fcgi/connections/server.hpp"
#include "fcgi/http/http.hpp"

#include <functional>
#include <thread>
#include <vector>

namespace fcgi {

// A fixed number of threads that answer requests.
class Workers {
  public:
    // `give_back` is called by a worker's thread once it sent what the socket took of the answer;
    // from then on the client is no longer the worker's. Signals that the caller blocks stay
    // blocked in the workers, so that no signal interrupts a handler. `options` outlives it.
    Workers(ServerOptions const& options, Handler handler, std::function<void(Client&)> give_back);

    // Answers what was handed over, then ends the threads.
    ~Workers();

    // Hands over a client whose head is complete.
    void answer(Client& client) { queue_.push(client); }

  private:
    Handler handler_;
    std::function<void(Client&)> give_back_;
    RequestQueue queue_;
    Crowd crowd_;
    std::vector<std::thread> threads_;
};

} // namespace fcgi
