#include "fcgi/observation/metrics_server.hpp"

#include "fcgi/observation/process_usage.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fcgi {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(2);
constexpr std::size_t longest_head = 16 * 1024;
// More than scrape at once; of so many, the one that came first has to go.
constexpr std::size_t most_clients = 64;

std::string response(std::string_view status, std::string_view type, std::string_view body) {
    std::string text = "HTTP/1.1 ";
    text.append(status).append("\r\nContent-Type: ").append(type);
    text.append("\r\nContent-Length: ").append(std::to_string(body.size()));
    return text.append("\r\nConnection: close\r\n\r\n").append(body);
}

std::string answer_to(std::string_view head, Metrics const& metrics) {
    bool const asks = head.starts_with("GET /metrics ") || head.starts_with("GET /metrics?");
    if (!asks) return response("404 Not Found", "text/plain", "The metrics are at /metrics.\n");
    auto const text = metrics.text() + usage_text(metrics.processes(), metrics.started());
    return response("200 OK", "text/plain; version=0.0.4; charset=utf-8", text);
}

} // namespace

// Someone who asks, from accept to the last byte of the answer.
class MetricsServer::Client {
  public:
    explicit Client(int socket) : socket_(socket) {}
    Client(Client&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)),
          until_(other.until_),
          head_(std::move(other.head_)),
          answer_(std::move(other.answer_)) {}
    Client& operator=(Client&& other) noexcept {
        std::swap(socket_, other.socket_);
        until_ = other.until_;
        head_.swap(other.head_);
        answer_.swap(other.answer_);
        return *this;
    }
    ~Client() {
        if (socket_ >= 0) ::close(socket_);
    }

    pollfd waits_for() const {
        return {.fd = socket_,
                .events = static_cast<short>(answer_.empty() ? POLLIN : POLLOUT),
                .revents = 0};
    }
    Clock::time_point until() const { return until_; }

    // Takes or sends what can be now. False: it is over.
    bool go_on(Metrics const& metrics) {
        if (answer_.empty()) {
            std::array<char, 4'096> buffer;
            auto const count = ::recv(socket_, buffer.data(), buffer.size(), 0);
            if (count <= 0) return false;
            head_.append(buffer.data(), static_cast<std::size_t>(count));
            bool const is_whole = head_.find("\r\n\r\n") != head_.npos;
            if (!is_whole && head_.size() < longest_head) return true;
            answer_ = answer_to(head_, metrics);
        }
        auto const sent = ::send(socket_, answer_.data(), answer_.size(), MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN;
        answer_.erase(0, static_cast<std::size_t>(sent));
        return !answer_.empty();
    }

  private:
    int socket_;
    Clock::time_point until_ = Clock::now() + patience;
    std::string head_;
    std::string answer_; // what is left of it
};

MetricsServer::MetricsServer(Listener const& listener, Metrics const& metrics)
    : listener_(listener),
      metrics_(metrics),
      stop_event_(::eventfd(0, EFD_CLOEXEC)),
      thread_([this] { run(); }) {
}

MetricsServer::~MetricsServer() {
    std::uint64_t const one = 1;
    [[maybe_unused]] auto written = ::write(stop_event_, &one, sizeof one);
    thread_.join();
    ::close(stop_event_);
}

void MetricsServer::run() const {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr); // they are the dispatcher's
    std::vector<Client> clients;                 // in the order in which they came
    std::vector<pollfd> entries;
    for (;;) {
        entries = {{.fd = stop_event_, .events = POLLIN, .revents = 0},
                   {.fd = listener_.fd(), .events = POLLIN, .revents = 0}};
        for (Client const& client : clients)
            entries.push_back(client.waits_for());
        ::poll(entries.data(), entries.size(), milliseconds_until_first(clients));
        if (entries[0].revents != 0) return;
        auto const now = Clock::now();
        auto entry = entries.begin() + 2;
        std::erase_if(clients, [&](Client& client) {
            bool const is_ready = (entry++)->revents != 0;
            return client.until() <= now || (is_ready && !client.go_on(metrics_));
        });
        if (entries[1].revents != 0) accept(clients);
    }
}

// -1, as poll(2) has it, where nobody is waited for.
int MetricsServer::milliseconds_until_first(std::vector<Client> const& clients) {
    if (clients.empty()) return -1;
    auto const left = clients.front().until() - Clock::now();
    return std::max(0,
                    static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count()));
}

void MetricsServer::accept(std::vector<Client>& clients) const {
    // Another process may have been faster.
    int const socket = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    if (clients.size() == most_clients) clients.erase(clients.begin());
    clients.emplace_back(socket);
}

} // namespace fcgi
