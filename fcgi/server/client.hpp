#pragma once

#include "fcgi/handler/handle_request.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/process/events.hpp"
#include "fcgi/server/record.hpp"
#include "fcgi/server/request_head.hpp"
#include "parser/base/memory_budget.hpp"

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>

namespace fcgi {

// A client that has a connection to us. It belongs to the dispatcher, which alone opens, reads and
// closes the connection. From hand-over to return it belongs to a worker, which reads the head and
// sends what the socket takes of the response at once; the dispatcher sends the rest, and only then
// is `outgoing` null again.
struct Client {
    enum class Phase {
        reading,   // reads the head of a request, or is idle between two
        inquiring, // waits to hear whether anything changed before its request
        handling,  // belongs to a worker
        sending,   // takes the rest of a response
        closing,   // our side is shut; what still arrives is discarded
    };
    using Time = std::chrono::steady_clock::time_point;

    // What the client sends is held in memory of `share`.
    Client(int fd, std::size_t parameter_limit, parser::MemoryShare share = {})
        : memory(std::move(share)), socket(fd), reader(parameter_limit, &memory) {}

    // Makes `request` from the head, which is complete. It has to be answered within `limit`.
    void begin_request(Time now, std::chrono::milliseconds limit);

    // Makes `response` the one that is sent; nothing of it is sent yet. Many clients may share it,
    // and nobody changes it: the last one to be done with it, in whatever thread, frees it.
    void begin_response(std::shared_ptr<Response const> response);
    // Does the same with one that was made for an equal request. False: there is no memory for it.
    bool try_begin_coalesced_response(std::shared_ptr<Response const> response);
    // Sends some of the response. If that was the last of it, or failed, the response ends.
    SendResult send(Observer const& observe);
    // Ends the response: no more of it is sent.
    void end_response(bool is_sent, Observer const& observe);

    // Frees all that is held of what the client sent.
    void drop_request();
    // Returns whether it holds more than the URL and headers of a usual request take.
    bool holds_much() const { return memory.held() > 16 * 1024; }

    // Returns whether we read now what the client sends.
    bool is_read() const { return phase == Phase::reading || phase == Phase::closing; }
    // Returns whether it made no request since request.arrived, when it connected or made its last
    // one.
    bool is_idle() const {
        return phase == Phase::reading && reader.progress() == HeadProgress::idle;
    }
    bool has_half_a_request() const {
        return phase == Phase::reading && reader.progress() == HeadProgress::partial;
    }

    parser::MemoryShare memory; // belongs to the dispatcher
    int const socket;
    HeadReader reader;
    Request request;   // made of the complete head
    bool keep = false; // the connection stays open after the response
    // The client closed the connection, so nobody waits for the response. Set by the dispatcher.
    std::atomic<bool> abandoned = false;
    // The client may have sent more than was read. Set by the dispatcher.
    std::atomic<bool> is_waiting = false;

    // The queue (fcgi/server/request_queue.hpp) uses these, from push to done.
    std::unique_ptr<SuspendedRequest> suspended; // while the request waits for a slot
    Time wait_end;                               // after this the request is refused
    std::optional<Cost> cost;                    // absent: not known yet
    bool has_slot = false;                       // it holds one for that cost, since:
    Time slot_since;
    bool follows = false; // an equal request waits for a slot

    std::shared_ptr<Response const> outgoing; // the one that is being sent
    bool coalesced = false;                   // `outgoing` was made for an equal request
    ResponseWriter writer;

    Phase phase = Phase::reading;
    bool fresh = true;  // no request has come yet
    bool ended = false; // it sends no more than what is in the socket
    // The bytes behind the head that is being answered.
    std::pmr::string unread{&memory};
    Time cut_off = Time::max();
    // SlowReaders uses these in the phase `sending`.
    std::list<Client*>::iterator place;
    Time last_taken;
    int queued = 0;

  private:
    std::pmr::string joined_path_{&memory}; // that of `request`, if it had to be put together
};

// Returns an empty response in `place`. It is the one that is there, whose buffers are used again,
// unless that one went away with a client that did not take it at once.
Response& fresh(std::shared_ptr<Response>& place);

} // namespace fcgi
