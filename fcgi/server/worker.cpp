#include "fcgi/server/worker.hpp"

#include "fcgi/http/representation.hpp"
#include "fcgi/process/events.hpp"
#include "parser/base/limits.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <poll.h>
#include <sched.h>

namespace fcgi {

namespace {

constexpr std::size_t kept_buffer_bytes = 1024 * 1024;
// A client that reads takes a large response in less, and then the buffers stay with the worker:
// when it was handed over at once, a response of 650 KB took half as much processor time again.
constexpr auto moment = std::chrono::milliseconds(10);

// Waits until the socket takes more. Returns false if it does not by `end`.
bool takes_more(int socket, Client::Time end) {
    auto const left =
        std::chrono::ceil<std::chrono::milliseconds>(end - Client::Time::clock::now()).count();
    pollfd entry{socket, POLLOUT, 0};
    return left > 0 && ::poll(&entry, 1, static_cast<int>(left)) == 1;
}

// Returns why the request is not handled. RequestQueue::enter() refuses one that waits for a slot.
std::optional<parser::Error> refusal(Client const& client, parser::Limits const& limits) {
    auto const limit = client.cost || limits.request < limits.acquire ? &parser::Limits::request
                                                                      : &parser::Limits::acquire;
    if (Client::Time::clock::now() >= client.request.arrived + limits.*limit)
        return parser::unavailable(limit, limits.*limit, "no worker was free");
    if (client.request.method.empty())
        return parser::Error{parser::ErrorKind::malformed, "The request has no method"};
    return std::nullopt;
}

std::size_t const processors = std::thread::hardware_concurrency();
thread_local bool is_batch = false;

// If the system forbids it, nothing changes.
void schedule_as_batch(bool wanted) {
    if (wanted == is_batch) return;
    sched_param const none{};
    if (::sched_setscheduler(0, wanted ? SCHED_BATCH : SCHED_OTHER, &none) == 0) is_batch = wanted;
}

} // namespace

void Worker::run() {
    while (Client* const client = delivery_.next()) {
        BusyThread const busy(busy_threads_);
        try {
            handle(*client);
        } catch (std::exception const& error) {
            delivery_.fail(error);
        }
        options_.memory->trim();
    }
}

// Takes a request from the queue to the bytes of its response.
void Worker::handle(Client& client) {
    if (make_response(client))
        delivery_.send();
    else
        delivery_.requeue();
}

// Returns false if the request has to wait for its turn. (Why its rows are read more than once:
// fcgi/handler/handle_request.hpp.) The context ends here, before the response is sent: its rows
// are in the memory of the response, which ends with its last client.
bool Worker::make_response(Client& client) {
    Response& response = delivery_.response();
    RequestContext context;
    Exchange const exchange{service_, client.request, response, context};
    auto const suspended = std::move(client.suspended);

    auto attempt = suspended ? resume(exchange, std::move(*suspended)) : prepare(exchange);
    while (attempt && !*attempt) {
        auto const slot = queue_.enter(client, response.trace.cost);
        if (slot && !*slot) {
            client.suspended = std::make_unique<SuspendedRequest>(suspend(exchange));
            return false;
        }
        attempt = slot ? read(exchange) : Attempt(slot.error());
    }
    respond(exchange, std::move(attempt));
    options_.observe(
        RequestHandled{&client.reader.head(), client.request, context, response.trace});
    return true;
}

Attempt Worker::read(Exchange const& exchange) {
    auto connection = acquire(exchange);
    if (!connection) return connection.error();
    if (may_be_coalesced(exchange.context) && delivery_.coalesce() && !is_as_prepared(exchange))
        delivery_.put_back_equals(); // they came after what it was prepared with had changed
    return fcgi::read(exchange, *std::move(connection), delivery_.deadline());
}

Client* Delivery::next() {
    while ((client_ = queue_.next()))
        if (begin()) return client_;
    return nullptr;
}

// Returns false if the request was refused.
bool Delivery::begin() try {
    put_back_equals(); // those of a response that could not be sent
    fresh(response_).memory = parser::MemoryShare(*options_.memory);
    auto const refused = refusal(*client_, options_.limits);
    if (!refused) return true;
    refuse(*refused);
    return false;
} catch (std::exception const& error) {
    fail(error);
    return false;
}

void Delivery::refuse(parser::Error const& error) {
    RequestContext context;
    context.error = error;
    Trace& trace = response_->trace;
    trace.times = StageTimes(client_->request.arrived);
    trace.times.stop();
    write_error(error, client_->request, *response_);
    options_.observe(RequestHandled{&client_->reader.head(), client_->request, context, trace});
    send();
}

bool Delivery::coalesce() {
    queue_.take_equals(*client_, equals_);
    return !equals_.empty();
}

parser::Deadline Delivery::deadline() const {
    auto const& deadline = client_->request.deadline;
    return equals_.empty() ? deadline : parser::Deadline{deadline.at, nullptr};
}

void Delivery::requeue() {
    response_->memory = {};
    put_back_equals();
    queue_.requeue(*client_);
}

void Delivery::send() {
    response_->memory.settle();
    queue_.done(*client_);
    deliver();
    returned_.put(*client_);
}

// Nothing was sent yet: sending throws, if at all, before its first byte.
void Delivery::fail(std::exception const& error) {
    options_.observe(Notice{"request-failed", {error.what()}});
    try {
        client_->keep = false;
        queue_.done(*client_);
        put_back_equals();
        write_error({.cause = error.what()}, client_->request, fresh(response_));
        deliver();
    } catch (std::exception const& again) {
        options_.observe(Notice{"error-response-failed", {again.what()}});
    }
    returned_.put(*client_);
}

// A failure is for one request alone: the other requests may have more time left, for example. A
// response that a socket does not take at once goes with its client, and the next one gets new
// buffers.
void Delivery::deliver() {
    auto response = std::move(response_);
    bool is_held = false;
    if (response->status < 500)
        std::erase_if(equals_, [&](Client* client) {
            if (!client->try_begin_coalesced_response(response)) return false;
            client->send(options_.observe);
            is_held |= client->outgoing != nullptr;
            returned_.put(*client);
            return true;
        });
    put_back_equals();
    client_->begin_response(response);
    client_->send(options_.observe);
    auto const end = Client::Time::clock::now() + moment;
    while (client_->outgoing && takes_more(client_->socket, end))
        client_->send(options_.observe);
    if (is_held || client_->outgoing) return;
    response->body.shrink_to(kept_buffer_bytes);
    response->memory = {};
    response_ = std::move(response);
}

void Delivery::put_back_equals() {
    queue_.put_back(equals_);
    equals_.clear();
}

BusyThread::BusyThread(std::atomic<std::size_t>& count) : count_(count) {
    schedule_as_batch(count.fetch_add(1, std::memory_order_relaxed) >= processors);
}

} // namespace fcgi
