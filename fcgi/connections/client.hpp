#pragma once

#include "fcgi/connections/request_head.hpp"
#include "fcgi/connections/response_writer.hpp"
#include "fcgi/http/http.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace fcgi {

// Who has a connection to us. It belongs to the dispatcher, which alone opens, reads and closes it;
// from hand-over to return a worker reads the head, writes the answer to `socket` and sets `keep`.
struct Client {
    enum class State {
        reading,   // for the head of a request, or idle between two
        answering, // with a worker
        closing,   // our side is shut; what still arrives is thrown away
    };
    using Time = std::chrono::steady_clock::time_point;

    Client(int fd, std::size_t parameter_limit) : socket(fd), reader(parameter_limit) {}

    // Makes the request of the head, which is complete, and is to be answered within `limit`.
    void begin_request(Time now, std::chrono::milliseconds limit);

    int const socket;
    HeadReader reader;
    Request request;   // of the head that is complete
    bool keep = false; // after the answer
    // It closed the connection, so nobody waits for the answer. Set by the dispatcher.
    std::atomic<bool> abandoned = false;
    // What tells its request from others (fcgi/http/request_key.hpp); empty: it is answered on its
    // own.
    std::string key;

    // Of the queue (fcgi/connections/request_queue.hpp), from push to done.
    Time wait_end;            // waiting longer, it is refused
    std::optional<Cost> cost; // once it is known
    bool has_place = false;   // of that cost, since:
    Time place_since;
    bool follows = false; // an equal one waits for a place

    // Made for an equal request, and on its way to this client too.
    std::shared_ptr<Response const> shared;
    ResponseWriter writer;

    State state = State::reading;
    bool fresh = true;  // no request has come yet
    std::string unread; // bytes behind the head that is being answered
    Time cut_off = Time::max();

  private:
    std::string joined_path_; // of `request`, where it had to be put together
};

} // namespace fcgi
