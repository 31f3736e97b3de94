#pragma once

#include "fcgi/connection.hpp"
#include "fcgi/http.hpp"
#include "fcgi/server.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fcgi {

// A fixed number of threads that answer requests, first come first served.
//
// libfcgi decodes the parameters, but never sees a client's socket: its reads block without limit,
// and a management record inside a request body overruns a buffer on its stack (2.4.2). It reads
// the judged head from a file in memory instead.
class Workers {
  public:
    // `give_back` is called by a worker's thread once the answer is written or the client gone;
    // from then on the connection is no longer the worker's. Signals that the caller blocks stay
    // blocked in the workers, so that no signal interrupts a handler.
    Workers(
        std::size_t count, Handler handler, std::function<void(Connection&)> give_back,
        Observer observer = [](Answered const&) {});

    // Answers what was handed over, then ends the threads.
    ~Workers();

    // Hands over a connection whose head is complete.
    void answer(Connection& connection);

    // For a worker: takes out those that wait with the same request as `connection`, behind those
    // in `twins`, and puts them back at the head of the queue. All or none where memory runs out.
    void take_twins(Connection& connection, std::vector<Connection*>& twins);
    void put_back(std::vector<Connection*> const& connections);

  private:
    Connection* wait_for_connection(); // null: no more work

    Handler handler_;
    Observer observer_;
    std::function<void(Connection&)> give_back_;
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<Connection*> ready_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

} // namespace fcgi
