#include "fcgi/http/representation.hpp"
#include "fcgi/metrics/event_log.hpp"
#include "fcgi/process/listener.hpp"
#include "fcgi/server/dispatcher.hpp"
#include "fcgi/server/server.hpp"
#include "fcgi/server/worker.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

// The server with workers whose responses a test controls; the dispatcher has a service, which no
// database answers:
//
//     fastcgi-test-server ADDRESS ENTERED_FD RELEASE_FD [name=value]…
//
// /echo    the request as a worker sees it
// /bytes?N N bytes, each a function of its place, taken of the memory
// /block   writes a byte to ENTERED_FD, then waits for one from RELEASE_FD; so does a reload
// /calls   how many requests workers had before
// /shared  the same, for all who wait for it; with ?fail as status 500, with ?block as /block does
//          once it is settled for whom, with ?large before so many bytes that no socket takes them
// /expensive    a request of that cost, which has to find a place; with ?block as /block does then
// /reloads how often SIGHUP had an effect

namespace {

std::atomic<int> calls = 0;
std::atomic<int> reloads = 0;

struct Gate {
    int entered;
    int release;

    void pass() const {
        char byte = 'x';
        if (::write(entered, &byte, 1) != 1 || ::read(release, &byte, 1) != 1) std::abort();
    }
};

std::size_t number(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string echo(fcgi::Request const& request) {
    std::string body;
    for (auto field :
         {request.method, request.path, request.query, request.authorization, request.origin,
          request.access_control_request_method, request.if_none_match, request.response_format})
        body.append(field).append("\n");
    return body;
}

// Responds to requests as the test wants.
class Worker {
  public:
    Worker(Gate gate, fcgi::ServerOptions const& options, fcgi::RequestQueue& queue,
           fcgi::ReturnedClients& returned)
        : gate_(gate), queue_(queue), delivery_(options, queue, returned) {}

    void run() {
        while (fcgi::Client* const client = delivery_.next()) {
            try {
                handle(*client);
            } catch (std::exception const& error) {
                delivery_.fail(error);
            }
        }
    }

  private:
    void handle(fcgi::Client& client) {
        fcgi::Request const& request = client.request;
        if (request.path == "/expensive") {
            auto const place = queue_.enter(client, fcgi::Cost::expensive);
            if (!place) fcgi::write_error(place.error(), request, delivery_.response());
            if (place && !*place) return delivery_.requeue();
            if (place && request.query.starts_with("block")) gate_.pass();
        } else {
            respond(request);
        }
        delivery_.send();
    }

    void respond(fcgi::Request const& request) {
        fcgi::Response& response = delivery_.response();
        auto const before = calls++;
        response.headers.emplace_back("Content-Type", "text/plain");
        std::string& body = response.body.own();
        response.headers_only = request.method == "HEAD";
        if (request.path == "/bytes") {
            auto const size = number(request.query);
            if (!response.memory.grow(size)) throw parser::OutOfBudget();
            body.resize(size);
            for (std::size_t i = 0; i < body.size(); ++i)
                body[i] = static_cast<char>(i * 31 + (i >> 8) * 7);
        } else if (request.path == "/calls") {
            body = std::to_string(before);
        } else if (request.path == "/shared") {
            delivery_.coalesce();
            body = std::to_string(before);
            if (request.query == "fail") response.status = 500;
            if (request.query == "block") gate_.pass();
            if (request.query == "large") body.append(16 * 1024 * 1024, 'x');
        } else if (request.path == "/reloads") {
            body = std::to_string(reloads);
        } else if (request.path == "/split") {
            response.headers.emplace_back("X-Value", "one\r\nX-Injected: two");
        } else {
            if (request.path == "/block") gate_.pass();
            body = echo(request);
        }
    }

    Gate gate_;
    fcgi::RequestQueue& queue_;
    fcgi::Delivery delivery_;
};

// As fcgi::serve().
int serve(fcgi::Listener& listener, fcgi::ServerOptions const& options, Gate gate) {
    fcgi::Options content;
    content.schema = PROJECTS "/ks";
    content.cors.credentials = true; // so that each response names the origin of its request
    auto const service = fcgi::Service::create(content).value();
    fcgi::block_signals();
    fcgi::RequestQueue queue(options);
    fcgi::Dispatcher dispatcher(listener, *service, options, queue);
    std::vector<std::thread> workers;
    for (std::size_t i = 0; i < options.workers; ++i)
        workers.emplace_back([&] { Worker(gate, options, queue, dispatcher.returned()).run(); });
    int const result = fcgi::run_until_signalled(listener, dispatcher, options.observe);
    if (result != 0) std::_Exit(result); // a worker may still be at the gate
    options.observe(fcgi::Notice{"stopped"});
    queue.close();
    for (auto& worker : workers)
        worker.join();
    return result;
}

void set(fcgi::ServerOptions& options, std::string_view name, std::size_t value) {
    auto const time = std::chrono::milliseconds(value);
    if (name == "workers") options.workers = value;
    if (name == "acquire") options.limits.acquire = time;
    if (name == "hold") options.longest_hold = time;
    if (name == "parameters") options.limits.parameters = value;
    if (name == "read") options.limits.read = time;
    if (name == "request") options.limits.request = time;
    if (name == "write") options.limits.write = time;
    if (name == "memory") options.memory = std::make_shared<parser::MemoryBudget>(value);
    if (name == "drain") options.limits.drain = time;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 4) return 64;
    Gate const gate{std::atoi(arguments[2]), std::atoi(arguments[3])};
    fcgi::ServerOptions server;
    // A limit that a test does not name is none that a busy machine comes to, and nothing that a
    // test waits for may be due to it.
    auto& limits = server.limits;
    limits.read = limits.request = limits.acquire = limits.write = std::chrono::minutes(5);
    fcgi::Options const options;
    server.observe = [log = fcgi::EventLog(options.log)](fcgi::Event const& event) { log(event); };
    server.reload = [gate] {
        gate.pass();
        ++reloads;
    };
    for (int i = 4; i < count; ++i) {
        std::string_view const argument = arguments[i];
        auto const equals = argument.find('=');
        set(server, argument.substr(0, equals), number(argument.substr(equals + 1)));
    }
    auto listener = fcgi::Listener::open(arguments[1], "");
    if (!listener) {
        std::fprintf(stderr, "%s\n", listener.error().message.c_str());
        return 73;
    }
    return serve(*listener, server, gate);
}
