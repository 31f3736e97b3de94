#pragma once

#include "fcgi/handler/handle_request.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/server/client.hpp"
#include "fcgi/server/request_queue.hpp"
#include "fcgi/server/server.hpp"
#include "fcgi/server/waiting_clients.hpp"
#include "parser/base/limits.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace fcgi {

// Delivers the responses that one worker thread makes: one after another with the same buffers,
// each to the client whose request it is for and to those that wait with an equal one. After next()
// the worker calls one of requeue(), send() and fail(), with which the client is no longer the
// worker's.
class Delivery {
  public:
    // All arguments outlive this.
    Delivery(ServerOptions const& options, RequestQueue& queue, ReturnedClients& returned)
        : options_(options), queue_(queue), returned_(returned) {}

    // Returns the next client whose request has to be handled, with an empty response for it; those
    // that waited too long get an error. Returns null if the queue is closed and empty.
    Client* next();
    Response& response() { return *response_; }

    // Adds all clients that wait with an equal request by now: the response will be theirs too.
    // Returns false if there is none.
    bool coalesce();
    // Gives those clients back to the queue: the response will not be theirs.
    void put_back_equals();
    // Returns the deadline of the request. If others wait for the response too, it does not end
    // when the client that asked first is gone.
    parser::Deadline deadline() const;

    // Gives the request back to the queue, as there is no slot for it (RequestQueue::enter).
    void requeue();
    // Sends as much of the response as the sockets take within moments.
    void send();
    // Sends an error of status 500 instead. Whatever was thrown, memory that ran out above all,
    // costs this response alone.
    void fail(std::exception const& error);

  private:
    bool begin();
    void refuse(parser::Error const& error);
    void deliver();

    ServerOptions const& options_;
    RequestQueue& queue_;
    ReturnedClients& returned_;
    Client* client_ = nullptr;
    std::vector<Client*> equals_;
    std::shared_ptr<Response> response_; // see fresh()
};

// The calling thread counts as busy as long as this lives. How many are busy decides how the system
// should wake them. On a processor that is free any thread continues at once. If there are more of
// our threads than processors, a thread that wakes displaces another, most often the thread of the
// database server that woke it with the first of several results. That one then has to wait for its
// turn, and so with each result. With SCHED_BATCH our thread continues when the other has done its
// part: a response of 25 statements takes 10 changes of the thread instead of 30. This is not done
// while few threads are busy: then any other program on the host would go first, for milliseconds.
class BusyThread {
  public:
    explicit BusyThread(std::atomic<std::size_t>& count);
    ~BusyThread() { count_.fetch_sub(1, std::memory_order_relaxed); }
    BusyThread(BusyThread const&) = delete;

  private:
    std::atomic<std::size_t>& count_; // of all that are busy
};

// Takes requests from the queue and sends their responses, one after another, on one thread.
class Worker {
  public:
    // All arguments outlive this.
    Worker(Service& service, ServerOptions const& options, RequestQueue& queue,
           ReturnedClients& returned, std::atomic<std::size_t>& busy_threads)
        : service_(service),
          options_(options),
          queue_(queue),
          busy_threads_(busy_threads),
          delivery_(options, queue, returned) {}

    // Runs until the queue is closed and empty.
    void run();

  private:
    void handle(Client& client);
    bool make_response(Client& client);
    Attempt read(Exchange const& exchange);

    Service& service_;
    ServerOptions const& options_;
    RequestQueue& queue_;
    std::atomic<std::size_t>& busy_threads_;
    Delivery delivery_;
};

} // namespace fcgi
