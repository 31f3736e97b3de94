#include "fcgi/metrics_server.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>

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

// Until `descriptor` is ready; false if it is not by then.
bool wait_for(int descriptor, short events, Clock::time_point until) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd entry{.fd = descriptor, .events = events, .revents = 0};
    return left.count() > 0 && ::poll(&entry, 1, static_cast<int>(left.count())) == 1;
}

// The head of a request; cut short where the client does not send it in time.
std::string read_head(int client, Clock::time_point until) {
    std::string head;
    std::array<char, 4'096> buffer;
    while (head.find("\r\n\r\n") == head.npos && head.size() < longest_head) {
        if (!wait_for(client, POLLIN, until)) break;
        auto const count = ::recv(client, buffer.data(), buffer.size(), 0);
        if (count <= 0) break;
        head.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return head;
}

void send_all(int client, std::string_view bytes, Clock::time_point until) {
    while (!bytes.empty() && wait_for(client, POLLOUT, until)) {
        auto const sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::string response(std::string_view status, std::string_view type, std::string_view body) {
    std::string text = "HTTP/1.1 ";
    text.append(status).append("\r\nContent-Type: ").append(type);
    text.append("\r\nContent-Length: ").append(std::to_string(body.size()));
    return text.append("\r\nConnection: close\r\n\r\n").append(body);
}

} // namespace

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
    for (;;) {
        pollfd entries[] = {{.fd = stop_event_, .events = POLLIN, .revents = 0},
                            {.fd = listener_.fd(), .events = POLLIN, .revents = 0}};
        ::poll(entries, 2, -1);
        if (entries[0].revents != 0) return;
        // Another process may have been faster.
        int const client =
            ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client < 0) continue;
        answer(client);
        ::close(client);
    }
}

void MetricsServer::answer(int client) const {
    auto const until = Clock::now() + patience;
    auto const head = read_head(client, until);
    bool const asks = head.starts_with("GET /metrics ") || head.starts_with("GET /metrics?");
    send_all(client,
             asks ? response("200 OK", "text/plain; version=0.0.4; charset=utf-8", metrics_.text())
                  : response("404 Not Found", "text/plain", "The metrics are at /metrics.\n"),
             until);
}

} // namespace fcgi
