#include "fcgi/connections/dispatcher.hpp"

#include "fcgi/connections/response_writer.hpp"
#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t buffer_bytes = 64 * 1024;
// A client that sends without pause lets the others in after so many buffers.
constexpr int buffers_in_a_row = 16;
// A handler that gives up at its deadline still has so long to get its answer to the client.
constexpr auto time_to_say_so = 1s;
constexpr auto accept_pause = 100ms;
// Who connects while we are about to stop sends a request within so long.
constexpr auto time_for_first_request = 100ms;

int checked(int descriptor, char const* what) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
    return descriptor;
}

} // namespace

Dispatcher::Dispatcher(Listener& listener, ServerOptions const& options, Handler const& handler)
    : listener_(listener),
      options_(options),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_event_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      buffer_(buffer_bytes),
      workers_(options, handler, [this](Connection& connection) { take_back(connection); }) {
    checked(watch(wake_event_, EPOLLIN | EPOLLET, &wake_event_), "epoll_ctl");
    checked(watch(listener_.fd(), EPOLLIN | EPOLLET | EPOLLEXCLUSIVE, &listener_), "epoll_ctl");
    if (options_.reload)
        reloader_ = std::jthread([this](std::stop_token stopped) { run_reloads(stopped); });
}

Dispatcher::~Dispatcher() {
    reloader_.request_stop();
    reloads_wanted_.fetch_add(1);
    reloads_wanted_.notify_one();
    for (auto& [fd, connection] : connections_)
        ::close(fd);
    ::close(epoll_);
    ::close(wake_event_);
}

int Dispatcher::run() {
    while (!draining() || !connections_.empty()) {
        wait_for_events();
        take_back_answered();
        if (now_ >= accept_again_) accept_connections();
        if (reload_requested_.exchange(false)) {
            reloads_wanted_.fetch_add(1);
            reloads_wanted_.notify_one();
        }
        if (stop_requested_ && !draining()) begin_drain();
        cut_off_overdue();
        if (now_ >= drain_end_) {
            if (answering_ == 0) return 0;
            options_.observe(event::CutOff{answering_});
            for_each_connection([this](Connection& connection) { cut_off(connection); });
            return 1;
        }
    }
    return 0;
}

void Dispatcher::stop() noexcept {
    stop_requested_ = true;
    wake();
}

void Dispatcher::reload() noexcept {
    reload_requested_ = true;
    wake();
}

// The event is edge-triggered: each write is reported once, and the counter need not be read.
void Dispatcher::wake() noexcept {
    std::uint64_t const one = 1;
    [[maybe_unused]] auto written = ::write(wake_event_, &one, sizeof one);
}

int Dispatcher::watch(int fd, unsigned events, void* tag, int operation) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = tag;
    return ::epoll_ctl(epoll_, operation, fd, &event);
}

void Dispatcher::wait_for_events() {
    int timeout = -1;
    if (auto due = std::min({next_cut_off_, accept_again_, drain_end_}); due != Time::max()) {
        auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
        timeout = static_cast<int>(std::clamp<long>(left.count(), 0, 60'000));
    }
    std::array<epoll_event, 128> events;
    int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout);
    now_ = Clock::now();
    bool has_clients = false;
    for (int i = 0; i < count; ++i) {
        void* tag = events[static_cast<std::size_t>(i)].data.ptr;
        if (tag == &listener_)
            has_clients = true;
        else if (tag != &wake_event_) // closes at most this one
            notice(*static_cast<Connection*>(tag), events[static_cast<std::size_t>(i)].events);
    }
    if (has_clients) accept_connections();
}

void Dispatcher::accept_connections() {
    accept_again_ = Time::max();
    for (;;) {
        int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            if (!admit(fd)) return pause_accepting();
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return pause_accepting();
        }
    }
}

bool Dispatcher::admit(int fd) try {
    auto const reserve = [count = connections_.size() + 1](std::vector<Connection*>& connections) {
        if (connections.capacity() < count) connections.reserve(2 * count);
    };
    reserve(taken_back_);
    {
        // Room for all at once, so that a worker needs no memory to give one back.
        std::lock_guard lock(answered_mutex_);
        reserve(answered_);
    }
    auto& connection = connections_.try_emplace(fd, fd, options_.limits.parameters).first->second;
    if (watch(fd, EPOLLIN | EPOLLET, &connection) < 0) close(connection);
    return true;
} catch (std::bad_alloc const&) {
    ::close(fd);
    errno = ENOMEM;
    return false;
}

// Out of descriptors or memory. The waiting clients raise no further edge, so try by the clock.
void Dispatcher::pause_accepting() {
    options_.observe(event::AcceptFailed{errno});
    accept_again_ = now_ + accept_pause;
}

// Whoever closed both directions can't be told anything any more. (On TCP a client that is gone
// looks like one that has said all it had to say, until it is written to.)
void Dispatcher::notice(Connection& connection, unsigned events) {
    if ((events & (EPOLLHUP | EPOLLERR)) != 0) connection.abandoned = true;
    attend(connection, [&] { receive(connection); });
}

void Dispatcher::receive(Connection& connection) {
    for (int i = 0; i < buffers_in_a_row; ++i) {
        // What comes while a worker has it stays in the socket; take_back_answered looks again.
        if (connection.stage == Connection::Stage::answering) return;
        auto count = ::recv(connection.socket, buffer_.data(), buffer_.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return close(connection);
        auto bytes = std::string_view(buffer_.data(), static_cast<std::size_t>(count));
        if (connection.stage == Connection::Stage::reading) feed(connection, bytes);
    }
    // Changing nothing makes epoll report the rest as new.
    watch(connection.socket, EPOLLIN | EPOLLET, &connection, EPOLL_CTL_MOD);
}

void Dispatcher::feed(Connection& connection, std::string_view bytes) {
    auto& reader = connection.reader;
    auto taken = reader.take(bytes);
    if (auto replies = reader.take_replies(); !replies.empty()) {
        auto sent = ::send(connection.socket, replies.data(), replies.size(), MSG_NOSIGNAL);
        // A client that asks without reading the answers.
        if (sent != static_cast<ssize_t>(replies.size())) return end(connection);
    }
    switch (reader.state()) {
    case HeadReader::State::idle:
        connection.cut_off = Time::max();
        break;
    case HeadReader::State::partial:
        if (connection.cut_off == Time::max()) cut_off_at(connection, now_ + options_.limits.read);
        break;
    case HeadReader::State::complete:
        connection.unread.assign(bytes.substr(taken));
        hand_over(connection);
        break;
    case HeadReader::State::over:
        reject(connection);
        break;
    }
}

void Dispatcher::hand_over(Connection& connection) {
    connection.number = next_request_++;
    connection.arrived = now_;
    connection.request_deadline = now_ + options_.limits.request;
    workers_.answer(connection);
    connection.stage = Connection::Stage::answering;
    connection.fresh = false;
    cut_off_at(connection, connection.request_deadline + time_to_say_so);
    ++answering_;
}

void Dispatcher::reject(Connection& connection) {
    if (auto const& why = connection.reader.refusal()) {
        Response response;
        write_error(*why, response);
        connection.writer.start(connection.reader.head().id, response);
        connection.writer.send(connection.socket, ResponseWriter::Patience::none);
        options_.observe(
            event::Answered{connection.reader.head(), response, next_request_++, false, {}});
    }
    end(connection);
}

// Called by workers.
void Dispatcher::take_back(Connection& connection) {
    std::lock_guard lock(answered_mutex_);
    answered_.push_back(&connection);
    if (answered_.size() == 1) wake();
}

void Dispatcher::take_back_answered() {
    taken_back_.clear();
    {
        std::lock_guard lock(answered_mutex_);
        taken_back_.swap(answered_);
    }
    for (auto* connection : taken_back_) {
        --answering_;
        if (draining()) {
            close(*connection);
            continue;
        }
        attend(*connection, [&] {
            if (connection->keep)
                read_on(*connection);
            else
                end(*connection);
            receive(*connection);
        });
    }
}

void Dispatcher::read_on(Connection& connection) {
    connection.stage = Connection::Stage::reading;
    connection.cut_off = Time::max();
    connection.reader.next();
    feed(connection, std::exchange(connection.unread, {}));
}

// Closing with bytes unread would make the kernel cancel what the client has not read yet. So only
// our side is shut, and the rest of what the client sends is thrown away until it closes its own.
void Dispatcher::end(Connection& connection) {
    ::shutdown(connection.socket, SHUT_WR);
    connection.stage = Connection::Stage::closing;
    cut_off_at(connection, now_ + options_.limits.read);
}

void Dispatcher::close(Connection& connection) {
    int fd = connection.socket;
    connections_.erase(fd);
    ::close(fd);
}

void Dispatcher::cut_off_at(Connection& connection, Time time) {
    connection.cut_off = time;
    next_cut_off_ = std::min(next_cut_off_, time);
}

// Looks at every connection, but only when the first of them may be due.
void Dispatcher::cut_off_overdue() {
    if (now_ < next_cut_off_) return;
    next_cut_off_ = Time::max();
    for_each_connection([this](Connection& connection) {
        if (connection.cut_off > now_)
            next_cut_off_ = std::min(next_cut_off_, connection.cut_off);
        else if (connection.stage == Connection::Stage::answering) {
            options_.observe(event::CutOff{1});
            cut_off(connection);
        } else
            close(connection);
    });
}

// The worker's next system call on it fails. It stays open until the worker gives it back, so that
// its number cannot come to mean another connection.
void Dispatcher::cut_off(Connection& connection) {
    ::shutdown(connection.socket, SHUT_RDWR);
    connection.cut_off = Time::max();
}

// Requests that have arrived in full are answered, whether we had noticed them or not. Those who
// have just connected may still send one: a web server asks no second time where a new connection
// failed.
void Dispatcher::begin_drain() {
    tell_systemd("STOPPING=1");
    accept_connections();
    accept_again_ = Time::max();
    // Closing alone would not end the watch where other processes share the socket.
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, listener_.fd(), nullptr);
    listener_.close();
    for_each_connection(
        [this](Connection& connection) { attend(connection, [&] { receive(connection); }); });
    for_each_connection([this](Connection& connection) {
        if (connection.stage == Connection::Stage::reading && connection.fresh)
            cut_off_at(connection, now_ + time_for_first_request);
        else if (connection.stage != Connection::Stage::answering)
            close(connection);
    });
    drain_end_ = now_ + options_.limits.drain;
    options_.observe(event::Stopping{answering_});
}

void Dispatcher::run_reloads(std::stop_token const& stopped) {
    for (unsigned seen = 0;;) {
        reloads_wanted_.wait(seen);
        if (stopped.stop_requested()) return;
        seen = reloads_wanted_;
        try {
            options_.reload();
        } catch (std::exception const& error) { // no memory for the new schema, say
            options_.observe(event::SchemaKept{error.what()});
        }
    }
}

} // namespace fcgi
