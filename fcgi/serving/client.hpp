#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/connections/request_head.hpp"
#include "fcgi/connections/response_writer.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/http/http.hpp"
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

// Who has a connection to us. It belongs to the dispatcher, which alone opens, reads and closes it.
// From hand-over to return it is a worker's, which reads the head and sends what the socket takes
// of the answer at once; the dispatcher sends the rest, and only then is `answer` null again.
struct Client {
    enum class State {
        reading,   // for the head of a request, or idle between two
        asking,    // whether anything changed before it asked
        answering, // with a worker
        sending,   // the rest of an answer, as the client takes it
        closing,   // our side is shut; what still arrives is thrown away
    };
    using Time = std::chrono::steady_clock::time_point;
    using Progress = ResponseWriter::Progress;

    // What it sends takes its memory of `share`.
    Client(int fd, std::size_t parameter_limit, parser::MemoryShare share = {})
        : memory(std::move(share)), socket(fd), reader(parameter_limit, &memory) {}

    // Makes the request of the head, which is complete, and is to be answered within `limit`.
    void begin_request(Time now, std::chrono::milliseconds limit);

    // Makes `response` its answer, of which nothing is sent yet. Many may share one, and nobody
    // changes it: who is done with it last, in whatever thread, frees it.
    void begin_answer(std::shared_ptr<Response const> response);
    // The same of one that was made for an equal request. False: there is no memory for it.
    bool try_begin_shared_answer(std::shared_ptr<Response const> response);
    // Sends some of the answer, which ends here where that was the last of it, or failed.
    Progress send(Observer const& observe);
    // Sends no more of it.
    void end_answer(bool is_sent, Observer const& observe);

    // Gives back all that is held of what it sent.
    void drop_request();
    // More of what it sent than the URL and headers of a usual request, in bytes.
    bool holds_much() const { return memory.held() > 16 * 1024; }

    // It says something that we read now.
    bool is_read() const { return state == State::reading || state == State::closing; }
    // It has asked for nothing since request.arrived, when it connected or asked last.
    bool is_idle() const {
        return state == State::reading && reader.state() == HeadReader::State::idle;
    }

    parser::MemoryShare memory; // the dispatcher's
    int const socket;
    HeadReader reader;
    Request request;   // of the head that is complete
    bool keep = false; // after the answer
    // It closed the connection, so nobody waits for the answer. Set by the dispatcher.
    std::atomic<bool> abandoned = false;
    // It may have said more than was read. Set by the dispatcher.
    std::atomic<bool> is_waiting = false;

    // Of the queue (fcgi/serving/request_queue.hpp), from push to done.
    std::unique_ptr<SuspendedRequest> suspended; // while it waits for a place
    Time wait_end;                               // waiting longer, it is refused
    std::optional<Cost> cost;                    // once it is known
    bool has_place = false;                      // of that cost, since:
    Time place_since;
    bool follows = false; // an equal one waits for a place

    std::shared_ptr<Response const> answer; // on its way
    bool shared = false;                    // it was made for an equal request
    ResponseWriter writer;

    State state = State::reading;
    bool fresh = true;  // no request has come yet
    bool ended = false; // it will say no more than what is in the socket
    // Bytes behind the head that is being answered.
    std::pmr::string unread{&memory};
    Time cut_off = Time::max();
    // In the state `sending`, see Sending.
    std::list<Client*>::iterator place;
    Time last_taken;
    int queued = 0;

  private:
    std::pmr::string joined_path_{&memory}; // of `request`, where it had to be put together
};

// An empty response in `place`: the one that is there, whose buffers are used again, unless it went
// away with a client that did not take it at once.
Response& fresh(std::shared_ptr<Response>& place);

} // namespace fcgi
