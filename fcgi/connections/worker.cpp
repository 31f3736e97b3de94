#include "fcgi/connections/worker.hpp"

#include "fcgi/http/answer.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <poll.h>

namespace fcgi {

namespace {

constexpr std::size_t kept_buffer_bytes = 1024 * 1024;
// Whoever reads takes a large answer in less, and then the buffers stay with the worker: handed
// over at once, an answer of 650 KB took half as much processor time again.
constexpr auto moment = std::chrono::milliseconds(10);

// Waits until the socket takes more, at most until `end`: false.
bool takes_more(int socket, Client::Time end) {
    auto const left =
        std::chrono::ceil<std::chrono::milliseconds>(end - Client::Time::clock::now()).count();
    pollfd entry{socket, POLLOUT, 0};
    return left > 0 && ::poll(&entry, 1, static_cast<int>(left)) == 1;
}

// The clients that get the answer to another's request.
class WaitingTwins final : public Twins {
  public:
    explicit WaitingTwins(RequestQueue& queue) : queue_(queue) {}

    void of(Client const& client) { first_ = &client; }
    bool take() override {
        queue_.take_twins(*first_, clients);
        return !clients.empty();
    }
    void put_back() {
        queue_.put_back(clients);
        clients.clear();
    }

    std::vector<Client*> clients;

  private:
    RequestQueue& queue_;
    Client const* first_ = nullptr;
};

// The way of one client's request to the database.
class ClientsLane final : public Lane {
  public:
    explicit ClientsLane(RequestQueue& queue) : queue_(queue) {}

    void of(Client& client) { client_ = &client; }
    parser::Result<bool> enter(Cost cost) override { return queue_.enter(*client_, cost); }

  private:
    RequestQueue& queue_;
    Client* client_ = nullptr;
};

// Answers one client after another with the buffers of one thread.
class Worker {
  public:
    Worker(ServerOptions const& options, Handler const& handler, RequestQueue& queue,
           std::function<void(Client&)> const& give_back)
        : options_(options),
          handler_(handler),
          queue_(queue),
          give_back_(give_back),
          twins_(queue),
          lane_(queue) {}

    // False: it was postponed, and is the queue's again. Whatever is thrown on the way, memory that
    // ran out above all, costs this answer alone.
    bool answer(Client& client) try {
        return respond(client);
    } catch (std::exception const& error) {
        options_.observe(event::Threw{event::Threw::While::answering, error.what()});
        apologise(client);
        return true;
    }

  private:
    bool respond(Client& client) {
        Response& response = fresh(response_);
        response.memory = parser::MemoryShare(*options_.memory);
        // Who waits for a place is refused on its way to it.
        auto const end = client.request.deadline.at;
        if (Client::Time::clock::now() >= (client.cost ? end : std::min(client.wait_end, end)))
            write_error(parser::unavailable("no worker was free in time"), response);
        else if (client.request.method.empty())
            write_error({parser::ErrorKind::malformed, "The request has no method"}, response);
        else
            call_handler(client, response);
        if (response.postponed) {
            response.memory = {};
            twins_.put_back();
            queue_.postpone(client);
            return false;
        }
        response.memory.settle();
        queue_.done(client);
        send(client);
        return true;
    }

    // Nothing was sent yet: sending throws, if at all, before its first byte.
    void apologise(Client& client) try {
        client.keep = false;
        queue_.done(client);
        twins_.put_back();
        write_error({}, fresh(response_));
        send(client);
    } catch (std::exception const& error) {
        options_.observe(event::Threw{event::Threw::While::apologising, error.what()});
    }

    void call_handler(Client& client, Response& response) {
        twins_.of(client);
        client.request.twins = &twins_;
        lane_.of(client);
        client.request.lane = &lane_;
        handler_(client.request, response);
    }

    // Gives the answer to the twins as well. A failure is each request's own: others have more time
    // left, say. What their sockets do not take at once keeps the response, and goes with them.
    void send(Client& client) {
        auto response = std::move(response_);
        bool is_kept = false;
        if (response->status < 500)
            std::erase_if(twins_.clients, [&](Client* twin) {
                if (!begin_twin(*twin, response)) return false;
                twin->send(options_.observe);
                is_kept |= twin->answer != nullptr;
                give_back_(*twin);
                return true;
            });
        twins_.put_back();
        client.begin_answer(response);
        client.send(options_.observe);
        auto const end = Client::Time::clock::now() + moment;
        while (client.answer && takes_more(client.socket, end))
            client.send(options_.observe);
        if (is_kept || client.answer) return;
        response->body.shrink_to(kept_buffer_bytes);
        response->memory = {};
        response_ = std::move(response);
    }

    // False: it goes back to the queue.
    bool begin_twin(Client& twin, std::shared_ptr<Response const> const& response) try {
        twin.begin_answer(response);
        twin.shared = true;
        return true;
    } catch (std::bad_alloc const&) {
        return false;
    }

    ServerOptions const& options_;
    Handler const& handler_;
    RequestQueue& queue_;
    std::function<void(Client&)> const& give_back_;
    std::shared_ptr<Response> response_; // see fresh()
    WaitingTwins twins_;
    ClientsLane lane_;
};

} // namespace

Workers::Workers(ServerOptions const& options, Handler handler,
                 std::function<void(Client&)> give_back)
    : handler_(std::move(handler)),
      give_back_(std::move(give_back)),
      queue_({options.workers, std::min(options.workers, options.connections),
              options.share_requests, options.longest_hold, options.limits.acquire}) {
    for (std::size_t i = 0; i < options.workers; ++i)
        threads_.emplace_back(
            [this, memory = options.memory,
             worker = std::make_unique<Worker>(options, handler_, queue_, give_back_)] {
                while (auto* client = queue_.next()) {
                    Crowd::Member const busy(crowd_);
                    if (!worker->answer(*client)) continue;
                    give_back_(*client);
                    memory->trim();
                }
            });
}

Workers::~Workers() {
    queue_.close();
    for (auto& thread : threads_)
        thread.join();
}

} // namespace fcgi
