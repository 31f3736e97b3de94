#include "chaos_proxy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace faults {

namespace {

using namespace std::chrono_literals;

constexpr int tick = 2; // milliseconds until a new fault is noticed

sockaddr_un address_of(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

int connected_to(std::string const& path) {
    int const fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto const address = address_of(path);
    if (::connect(fd, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
}

bool send_all(int fd, char const* bytes, std::size_t size) {
    while (size > 0) {
        auto const sent = ::send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0) return false;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

} // namespace

ChaosProxy::ChaosProxy(std::string path, std::string server)
    : path_(std::move(path)),
      server_(std::move(server)),
      listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto const address = address_of(path_);
    listen(reinterpret_cast<sockaddr const&>(address), sizeof address);
}

ChaosProxy::ChaosProxy(std::string server)
    : server_(std::move(server)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listen(reinterpret_cast<sockaddr const&>(address), sizeof address);
}

void ChaosProxy::listen(sockaddr const& address, std::size_t size) {
    if (::bind(listener_, &address, static_cast<socklen_t>(size)) < 0 ||
        ::listen(listener_, 100) < 0)
        throw std::runtime_error("cannot listen at " + (path_.empty() ? "a port" : path_));
    acceptor_ = std::jthread([this](std::stop_token stopped) { accept_until_stopped(stopped); });
}

unsigned ChaosProxy::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

ChaosProxy::~ChaosProxy() {
    acceptor_ = {};
    connections_.clear();
    ::close(listener_);
    if (!path_.empty()) ::unlink(path_.c_str());
}

void ChaosProxy::set(Fault const& fault) {
    std::lock_guard const lock(mutex_);
    fault_ = fault;
    ++faults_set_;
}

void ChaosProxy::close_connections() {
    ++closings_;
}

Fault ChaosProxy::fault() const {
    std::lock_guard const lock(mutex_);
    return fault_;
}

void ChaosProxy::accept_until_stopped(std::stop_token const& stopped) {
    while (!stopped.stop_requested()) {
        pollfd arrival{listener_, POLLIN, 0};
        if (::poll(&arrival, 1, tick) != 1) continue;
        int const application = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (application < 0) continue;
        if (fault().refuse)
            ::close(application);
        else
            connect(application);
    }
}

void ChaosProxy::connect(int application) {
    // A thread that nobody joins keeps its memory.
    connections_.remove_if(
        [](Connection const& connection) { return connection.has_ended.load(); });
    auto& connection = connections_.emplace_back();
    connection.thread = std::jthread([this, application, &connection](std::stop_token stopped) {
        pass_on(stopped, application);
        ::close(application);
        connection.has_ended = true;
    });
}

void ChaosProxy::pass_on(std::stop_token const& stopped, int application) const {
    int const server = connected_to(server_);
    unsigned const closings = closings_;
    unsigned faults_seen = 0;
    std::optional<std::size_t> left; // of `cut_after`
    bool is_stream = false;
    for (bool open = server >= 0; open && closings == closings_ && !stopped.stop_requested();) {
        Fault now;
        {
            std::lock_guard const lock(mutex_);
            now = fault_;
            if (faults_seen != faults_set_) left = fault_.cut_after;
            faults_seen = faults_set_;
        }
        short const in = POLLIN;
        bool const holds = now.hold_replies || (is_stream ? now.hold_streams : now.hold_others);
        std::array<pollfd, 2> ends{pollfd{now.hold_statements ? -1 : application, in, 0},
                                   pollfd{holds ? -1 : server, in, 0}};
        if (::poll(ends.data(), ends.size(), tick) <= 0) continue;
        if (ends[0].revents != 0) open = pass_statements(application, server, is_stream);
        if (open && ends[1].revents != 0) {
            std::this_thread::sleep_for(now.delay);
            open = pass_replies(server, application, left);
        }
    }
    if (server >= 0) ::close(server);
}

bool ChaosProxy::pass_statements(int application, int server, bool& is_stream) const {
    constexpr std::ptrdiff_t packet_header = 4;
    constexpr char binlog_dump = 0x12;
    std::array<char, 16 * 1024> buffer;
    auto const count = ::recv(application, buffer.data(), buffer.size(), 0);
    if (count > packet_header && buffer[packet_header] == binlog_dump && buffer[3] == 0)
        is_stream = true;
    if (auto const& [from, to] = std::pair(fault().from, fault().to); count > 0 && !from.empty()) {
        auto const end = buffer.begin() + count;
        auto const found = std::search(buffer.begin(), end, from.begin(), from.end());
        if (found != end) std::ranges::copy(to, found);
    }
    return count > 0 && send_all(server, buffer.data(), static_cast<std::size_t>(count));
}

bool ChaosProxy::pass_replies(int server, int application, std::optional<std::size_t>& left) const {
    std::array<char, 16 * 1024> buffer;
    auto const received = ::recv(server, buffer.data(), std::min(buffer.size(), fault().piece), 0);
    if (received <= 0) return false;
    auto const count = std::min(static_cast<std::size_t>(received), left.value_or(buffer.size()));
    bytes_replied_ += count;
    if (left) *left -= count;
    return send_all(application, buffer.data(), count) && (!left || *left > 0);
}

} // namespace faults
