#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/server/answered.hpp"
#include "fcgi/server/client.hpp"
#include "fcgi/server/request_queue.hpp"
#include "fcgi/server/server.hpp"
#include "parser/base/limits.hpp"

#include <exception>
#include <memory>
#include <vector>

namespace fcgi {

// Delivers the responses that one worker thread makes: one after another with the same buffers,
// each to the client whose request it is for and to those that wait with an equal one. After next()
// the worker calls one of postpone(), send() and fail(), with which the client is no longer the
// worker's.
class Delivery {
  public:
    // All arguments outlive this.
    Delivery(ServerOptions const& options, RequestQueue& queue, Answered& answered)
        : options_(options), queue_(queue), answered_(answered) {}

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

    // Gives the request back to the queue, as there is no place for it (RequestQueue::enter).
    void postpone();
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
    Answered& answered_;
    Client* client_ = nullptr;
    std::vector<Client*> equals_;
    std::shared_ptr<Response> response_; // see fresh()
};

} // namespace fcgi
