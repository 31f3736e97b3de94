#include "fcgi/connections/worker.hpp"

#include "fcgi/connections/response_writer.hpp"
#include "fcgi/http/answer.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace fcgi {

namespace {

using Progress = ResponseWriter::Progress;
using Patience = ResponseWriter::Patience;

constexpr std::size_t kept_buffer_bytes = 1024 * 1024;

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
        if (client.shared) {
            send_rest(client);
            return true;
        }
        response_.clear();
        response_.memory = parser::MemoryShare(*options_.memory);
        // Who waits for a place is refused on its way to it.
        auto const end = client.request.deadline.at;
        if (Client::Time::clock::now() >= (client.cost ? end : std::min(client.wait_end, end)))
            write_error(parser::unavailable("no worker was free in time"), response_);
        else if (client.request.method.empty())
            write_error({parser::ErrorKind::malformed, "The request has no method"}, response_);
        else
            call_handler(client);
        if (response_.postponed) {
            twins_.put_back();
            queue_.postpone(client);
            return false;
        }
        queue_.done(client);
        if (twins_.clients.empty())
            send(client, response_);
        else
            send(client, *share());
        response_.body.shrink_to(kept_buffer_bytes);
        return true;
    }

    // Nothing was sent yet: sending throws, if at all, before its first byte.
    void apologise(Client& client) try {
        client.keep = false;
        queue_.done(client);
        twins_.put_back();
        response_.clear();
        write_error({}, response_);
        send(client, response_);
    } catch (std::exception const& error) {
        options_.observe(event::Threw{event::Threw::While::apologising, error.what()});
    }

    void call_handler(Client& client) {
        twins_.of(client);
        client.request.twins = &twins_;
        lane_.of(client);
        client.request.lane = &lane_;
        handler_(client.request, response_);
    }

    void send(Client& client, Response const& response) {
        client.writer.start(client.reader.head().id, response);
        finish(client, client.writer.send(client.socket, Patience::until_shut_down), response,
               false);
    }

    void finish(Client& client, Progress progress, Response const& response, bool shared) {
        auto const& head = client.reader.head();
        client.keep = progress == Progress::done && head.keep_connection;
        options_.observe(event::Answered{head, response, client.request.number, shared,
                                         Client::Time::clock::now() - client.request.arrived});
    }

    // Gives the answer to the twins as well. A failure is each request's own: others have more
    // time left, say.
    std::shared_ptr<Response const> share() {
        auto shared = std::make_shared<Response const>(std::move(response_));
        if (shared->status < 500)
            std::erase_if(twins_.clients,
                          [&](Client* twin) { return send_to_twin(*twin, shared); });
        twins_.put_back();
        return shared;
    }

    // False: it goes back to the queue, for a worker to wait for its client, or to answer it anew.
    bool send_to_twin(Client& twin, std::shared_ptr<Response const> const& answer) try {
        twin.writer.start(twin.reader.head().id, *answer);
        twin.shared = answer;
        auto const progress = twin.writer.send(twin.socket, Patience::none);
        if (progress == Progress::blocked) return false;
        finish_twin(twin, progress);
        give_back_(twin);
        return true;
    } catch (std::bad_alloc const&) {
        return false;
    }

    void send_rest(Client& twin) {
        finish_twin(twin, twin.writer.send(twin.socket, Patience::until_shut_down));
    }

    void finish_twin(Client& twin, Progress progress) {
        finish(twin, progress, *twin.shared, true);
        twin.shared = nullptr;
    }

    ServerOptions const& options_;
    Handler const& handler_;
    RequestQueue& queue_;
    std::function<void(Client&)> const& give_back_;
    Response response_;
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
            [this, worker = std::make_unique<Worker>(options, handler_, queue_, give_back_)] {
                while (auto* client = queue_.next()) {
                    if (worker->answer(*client)) give_back_(*client);
                }
            });
}

Workers::~Workers() {
    queue_.close();
    for (auto& thread : threads_)
        thread.join();
}

} // namespace fcgi
