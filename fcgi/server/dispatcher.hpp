#pragma once

#include "db/binlog/inquiry.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/process/listener.hpp"
#include "fcgi/process/systemd.hpp"
#include "fcgi/server/client.hpp"
#include "fcgi/server/epoll.hpp"
#include "fcgi/server/request_queue.hpp"
#include "fcgi/server/server.hpp"
#include "fcgi/server/waiting_clients.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace fcgi {

// A thread that reads the schema again on request, so that serving goes on meanwhile. Any number of
// requests that come while it does so cause one more read.
class Reloader {
  public:
    explicit Reloader(ServerOptions const& options);
    ~Reloader();

    void ask() {
        requested_.fetch_add(1);
        requested_.notify_one();
    }

  private:
    void run(std::stop_token const& stopped);

    ServerOptions const& options_;
    std::atomic<unsigned> requested_ = 0;
    std::jthread thread_;
};

// The one thread that accepts, reads and closes connections; see server.hpp. It waits in
// edge-triggered epoll, so a connection is registered once for its whole life. It is registered for
// writing only while the rest of a response is sent: each read of a client at a Unix socket would
// wake us otherwise.
class Dispatcher {
  public:
    // All arguments outlive this. Throws std::system_error if the system gives no descriptors.
    Dispatcher(Listener& listener, Service& service, ServerOptions const& options,
               RequestQueue& queue);
    // The workers have ended by then.
    ~Dispatcher();

    // Workers give clients back here.
    ReturnedClients& returned() { return returned_; }

    // Serves until `stop`; returns the result of serve().
    int run();

    // Safe to call in a signal handler.
    void stop() noexcept;
    void reload() noexcept;

  private:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    // Returns the number of requests.
    std::size_t in_flight() const { return inquirers_.size() + handling_ + slow_readers_.size(); }
    bool draining() const { return drain_end_ != Time::max(); }
    void wait_for_events();

    void accept_connections();
    bool admit(int fd); // false: there is no memory for it
    bool make_room();   // false: no client can go
    std::size_t close_oldest(auto since);
    void pause_accepting(int error);
    void receive(Client& client); // may close it
    void notice(Client& client, unsigned events);
    void feed(Client& client, std::string_view bytes);
    bool serve_at_once(Client& client);
    void respond_to_inquirers();
    void ask_for_changes();
    void enqueue(Client& client);
    bool is_from_edge(Client const& client) const;
    bool send_at_once(Client& client);
    void reject(Client& client, parser::Error const& why);
    void take_back_clients();
    void start_sending(Client& client);
    void send_on(Client& client);
    void go_on(Client& client);
    void read_on(Client& client);
    void end(Client& client);
    void close(Client& client);

    void cut_off_at(Client& client, Time time);
    void cut_off(Client& client);
    void cut_off_overdue();
    void begin_drain();

    // If memory runs out, only the client that needed it is affected. `step` may close it.
    void attend(Client& client, auto step) try {
        try {
            step();
        } catch (parser::OutOfBudget const& refused) {
            options_.observe(Notice{"request-refused", {refused.what()}});
            client.outgoing ? close(client) : reject(client, parser::unavailable(refused.what()));
        }
    } catch (std::bad_alloc const&) {
        close(client);
    }

    // `visit` may close the client that it is given.
    void for_each_client(auto visit) {
        for (auto next = clients_.begin(); next != clients_.end();)
            visit((next++)->second);
    }

    Listener& listener_;
    Service& service_;
    ServerOptions const& options_;
    RequestQueue& queue_;
    Epoll epoll_;
    std::atomic<bool> stop_requested_ = false;
    std::atomic<bool> reload_requested_ = false;

    Time now_ = Clock::now(); // of the current round
    std::unordered_map<int, Client> clients_;
    std::vector<char> buffer_;
    std::shared_ptr<Response> at_once_;  // see fresh()
    std::size_t handling_ = 0;           // clients that a worker has
    std::optional<db::Inquiry> inquiry_; // absent: there is no cache
    Inquirers inquirers_;
    SlowReaders slow_readers_;
    Time next_cut_off_ = Time::max(); // no later than the first `cut_off`
    Time accept_again_ = Time::max(); // after an accept that failed
    // The start is random, so that the numbers of different processes differ.
    std::uint64_t next_request_ = std::uint64_t{std::random_device()()} << 32;
    Time drain_end_ = Time::max(); // finite: draining
    Heartbeat heartbeat_;

    ReturnedClients returned_{epoll_};
    Reloader reloader_;
};

} // namespace fcgi
