#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/serving/answered.hpp"
#include "fcgi/serving/client.hpp"
#include "fcgi/serving/request_queue.hpp"
#include "fcgi/serving/server.hpp"
#include "parser/base/deadline.hpp"

#include <exception>
#include <memory>
#include <vector>

namespace fcgi {

// How one worker thread gets the responses that it makes to their clients: one after another with
// the same buffers, each to the client whose request it is for and to those that wait with an equal
// one. After next() comes one of postpone(), send() and fail(), with which the client is somebody
// else's.
class Delivery {
  public:
    // All of them outlive it.
    Delivery(ServerOptions const& options, RequestQueue& queue, Answered& answered)
        : options_(options), queue_(queue), answered_(answered) {}

    // The next client whose request is to be handled, with an empty response for it; those that
    // waited too long get an error. Null: the queue is closed, and nobody is left.
    Client* next();
    Response& response() { return *response_; }

    // Takes in all that wait with an equal request by now: the response will be theirs too. False:
    // there is none.
    bool coalesce();
    // The response will not be theirs: the queue has them again.
    void put_back_equals();
    // That of the request; where others wait for the response too, it does not end with the client
    // that asked first.
    parser::Deadline deadline() const;

    // There is no place for the request (RequestQueue::enter): the queue has it again.
    void postpone();
    // Sends the response, as far as sockets take it at once.
    void send();
    // Sends an error of status 500 in its place. Whatever was thrown, memory that ran out above
    // all, costs this response alone.
    void fail(std::exception const& error);

  private:
    bool begin();
    void deliver();

    ServerOptions const& options_;
    RequestQueue& queue_;
    Answered& answered_;
    Client* client_ = nullptr;
    std::vector<Client*> equals_;
    std::shared_ptr<Response> response_; // see fresh()
};

} // namespace fcgi
