#include "fcgi/server/worker.hpp"

#include <memory>
#include <utility>

namespace fcgi {

void Worker::run() {
    while (Client* const client = delivery_.next()) {
        Crowd::Member const busy(crowd_);
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
        delivery_.postpone();
}

// Returns false if the request has to wait for its turn. The context ends here, before the response
// is sent: its rows are in the memory of the response, which ends with its last client.
bool Worker::make_response(Client& client) {
    Response& response = delivery_.response();
    RequestContext context;
    Exchange const exchange{service_, client.request, response, context};
    auto const suspended = std::move(client.suspended);

    auto attempt = suspended ? resume(exchange, std::move(*suspended)) : prepare(exchange);
    while (attempt && !*attempt) {
        auto const place = queue_.enter(client, response.trace.cost);
        if (place && !*place) {
            client.suspended = std::make_unique<SuspendedRequest>(suspend(exchange));
            return false;
        }
        attempt = place ? read(exchange) : Attempt(place.error());
    }
    respond(exchange, std::move(attempt));
    options_.observe(
        RequestHandled{&client.reader.head(), client.request, context, response.trace});
    return true;
}

Attempt Worker::read(Exchange const& exchange) {
    auto connection = acquire(exchange);
    if (!connection) return connection.error();
    if (may_be_shared(exchange.context) && delivery_.coalesce() && !is_as_prepared(exchange))
        delivery_.put_back_equals(); // they came after what it was prepared with had changed
    return fcgi::read(exchange, *std::move(connection), delivery_.deadline());
}

Workers::Workers(Service& service, ServerOptions const& options, RequestQueue& queue,
                 Answered& answered)
    : queue_(queue) {
    try {
        for (std::size_t i = 0; i < options.workers; ++i)
            threads_.emplace_back(
                [worker = std::make_unique<Worker>(service, options, queue, answered, crowd_)] {
                    worker->run();
                });
    } catch (...) { // the system has no thread for one of them
        end();
        throw;
    }
}

void Workers::end() {
    queue_.close();
    for (auto& thread : threads_)
        thread.join();
}

} // namespace fcgi
