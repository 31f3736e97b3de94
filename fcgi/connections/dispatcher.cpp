#include "fcgi/connections/dispatcher.hpp"

#include "fcgi/http/answer.hpp"
#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
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
constexpr unsigned reading = EPOLLIN | EPOLLRDHUP | EPOLLET; // from a client
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
      asking_(options.inquiry, options.inquiry_bound),
      sending_(options),
      workers_(std::in_place, options, handler,
               [this](Client& client) {
                   if (answered_.put(client)) wake();
               }),
      reloader_(options) {
    checked(watch(wake_event_, EPOLLIN | EPOLLET, &wake_event_), "epoll_ctl");
    checked(watch(listener_.fd(), EPOLLIN | EPOLLET | EPOLLEXCLUSIVE, &listener_), "epoll_ctl");
    if (asking_.descriptor() >= 0)
        checked(watch(asking_.descriptor(), EPOLLIN, &asking_), "epoll_ctl");
}

Dispatcher::~Dispatcher() {
    workers_.reset(); // they use what is closed now
    for (auto& [fd, client] : clients_)
        ::close(fd);
    ::close(epoll_);
    ::close(wake_event_);
}

int Dispatcher::run() {
    while (!draining() || !clients_.empty()) {
        wait_for_events();
        take_back_answered();
        answer_asked();
        asking_.ask(now_);
        if (now_ >= accept_again_) accept_connections();
        if (reload_requested_.exchange(false)) reloader_.ask();
        if (stop_requested_ && !draining()) begin_drain();
        cut_off_overdue();
        while (auto* silent = sending_.overdue(now_))
            close(*silent);
        if (now_ >= drain_end_) {
            if (in_flight() == 0) return 0;
            options_.observe(event::CutOff{in_flight()});
            for_each_client([this](Client& client) { cut_off(client); });
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
    auto const due = std::min(
        {next_cut_off_, asking_.next_look(), sending_.next_look(now_), accept_again_, drain_end_});
    if (due != Time::max()) {
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
        else if (tag == &asking_)
            asking_.look();
        else if (tag != &wake_event_) // closes at most this one
            notice(*static_cast<Client*>(tag), events[static_cast<std::size_t>(i)].events);
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
    if (auto const address = options_.refuse(fd)) {
        options_.observe(event::HostRefused{*address});
        ::close(fd);
        return true;
    }
    answered_.reserve(clients_.size() + 1);
    auto& client = clients_.try_emplace(fd, fd, options_.limits.parameters).first->second;
    if (watch(fd, reading, &client) < 0) close(client);
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
void Dispatcher::notice(Client& client, unsigned events) {
    if ((events & (EPOLLHUP | EPOLLERR)) != 0) client.abandoned = true;
    if ((events & EPOLLRDHUP) != 0) client.ended = true;
    client.is_waiting = true;
    attend(client,
           [&] { client.state == Client::State::sending ? send_on(client) : receive(client); });
}

void Dispatcher::receive(Client& client) {
    for (int i = 0; i < buffers_in_a_row; ++i) {
        // What comes while it is answered stays in the socket; go_on looks again.
        if (!client.is_read()) return;
        auto count = ::recv(client.socket, buffer_.data(), buffer_.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return close(client);
        auto bytes = std::string_view(buffer_.data(), static_cast<std::size_t>(count));
        // A socket that gives less than it is asked for is empty: what follows is an event.
        client.is_waiting = client.ended || bytes.size() == buffer_.size();
        if (client.state == Client::State::reading) feed(client, bytes);
        if (!client.is_waiting) return;
    }
    // Changing nothing makes epoll report the rest as new.
    if (client.is_read()) watch(client.socket, reading, &client, EPOLL_CTL_MOD);
}

void Dispatcher::feed(Client& client, std::string_view bytes) {
    auto& reader = client.reader;
    do {
        bytes.remove_prefix(reader.take(bytes));
        if (auto replies = reader.take_replies(); !replies.empty()) {
            auto sent = ::send(client.socket, replies.data(), replies.size(), MSG_NOSIGNAL);
            // A client that asks without reading the answers.
            if (sent != static_cast<ssize_t>(replies.size())) return end(client);
        }
    } while (reader.state() == HeadReader::State::complete && answer_at_once(client));
    switch (reader.state()) {
    case HeadReader::State::idle:
        client.cut_off = Time::max();
        break;
    case HeadReader::State::partial:
        if (client.cut_off == Time::max()) cut_off_at(client, now_ + options_.limits.read);
        break;
    case HeadReader::State::complete:
        client.unread.assign(bytes);
        if (client.state != Client::State::reading) break;
        if (client.request.epoch != 0 || !asking_.add(client, now_)) hand_over(client);
        break;
    case HeadReader::State::over:
        reject(client);
        break;
    }
}

// False: the request is for a worker, or the next has to wait, or it was the last that this client
// may make.
bool Dispatcher::answer_at_once(Client& client) {
    client.begin_request(now_, options_.limits.request);
    client.request.number = next_request_++;
    client.request.epoch = asking_.epoch_at_once(now_);
    client.fresh = false;
    if (!options_.answer_at_once(client.request, fresh(at_once_))) return false;
    if (!send_at_once(client)) return false;
    if (!client.keep || draining()) {
        end(client);
        return false;
    }
    client.cut_off = Time::max();
    client.reader.next();
    return true;
}

// False: there is more of it than the socket takes now.
bool Dispatcher::send_at_once(Client& client) {
    client.begin_answer(at_once_);
    client.send(options_.observe);
    if (!client.answer) return true;
    at_once_ = nullptr;
    start_sending(client);
    return false;
}

// Those whose wait is over.
void Dispatcher::answer_asked() {
    while (auto* const client = asking_.next(now_))
        attend(*client, [&] {
            if (!options_.answer_at_once(client->request, fresh(at_once_)))
                hand_over(*client);
            else if (send_at_once(*client))
                go_on(*client);
        });
}

void Dispatcher::hand_over(Client& client) {
    workers_->answer(client);
    client.state = Client::State::answering;
    cut_off_at(client, client.request.deadline.at + time_to_say_so);
    ++answering_;
}

void Dispatcher::reject(Client& client) {
    if (auto const& why = client.reader.refusal()) {
        client.request = {};
        client.request.number = next_request_++;
        write_error(*why, fresh(at_once_));
        if (!send_at_once(client)) return;
    }
    end(client);
}

void Dispatcher::take_back_answered() {
    for (auto* client : answered_.take()) {
        --answering_;
        attend(*client, [&] { client->answer ? start_sending(*client) : go_on(*client); });
    }
}

// Being changed, the watch reports at once that the socket takes something by now.
void Dispatcher::start_sending(Client& client) {
    sending_.add(client, now_);
    watch(client.socket, reading | EPOLLOUT, &client, EPOLL_CTL_MOD);
}

void Dispatcher::send_on(Client& client) {
    auto const progress = sending_.send(client, now_);
    if (progress == Client::Progress::blocked) return;
    watch(client.socket, client.answer ? reading | EPOLLOUT : reading, &client, EPOLL_CTL_MOD);
    if (!client.answer) go_on(client);
}

// After its answer.
void Dispatcher::go_on(Client& client) {
    if (draining()) return close(client);
    if (client.keep)
        read_on(client);
    else
        end(client);
    if (client.is_waiting) receive(client);
}

void Dispatcher::read_on(Client& client) {
    client.state = Client::State::reading;
    client.cut_off = Time::max();
    client.reader.next();
    feed(client, std::exchange(client.unread, {}));
}

// Closing with bytes unread would make the kernel cancel what the client has not read yet. So only
// our side is shut, and the rest of what the client sends is thrown away until it closes its own.
void Dispatcher::end(Client& client) {
    ::shutdown(client.socket, SHUT_WR);
    client.state = Client::State::closing;
    cut_off_at(client, now_ + options_.limits.read);
}

void Dispatcher::close(Client& client) {
    if (client.state == Client::State::sending) sending_.remove(client);
    int fd = client.socket;
    clients_.erase(fd);
    ::close(fd);
}

void Dispatcher::cut_off_at(Client& client, Time time) {
    client.cut_off = time;
    next_cut_off_ = std::min(next_cut_off_, time);
}

// Looks at every client, but only when the first of them may be due.
void Dispatcher::cut_off_overdue() {
    if (now_ < next_cut_off_) return;
    next_cut_off_ = Time::max();
    for_each_client([this](Client& client) {
        if (client.cut_off > now_)
            next_cut_off_ = std::min(next_cut_off_, client.cut_off);
        else if (client.state == Client::State::answering) {
            options_.observe(event::CutOff{1});
            cut_off(client);
        } else
            close(client);
    });
}

// The worker's next system call on it fails. It stays open until the worker gives it back, so that
// its number cannot come to mean another connection.
void Dispatcher::cut_off(Client& client) {
    ::shutdown(client.socket, SHUT_RDWR);
    client.cut_off = Time::max();
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
    answered_.await_each();
    take_back_answered();
    for_each_client([this](Client& client) { attend(client, [&] { receive(client); }); });
    for_each_client([this](Client& client) {
        if (client.state == Client::State::reading && client.fresh)
            cut_off_at(client, now_ + time_for_first_request);
        else if (client.is_read())
            close(client);
    });
    drain_end_ = now_ + options_.limits.drain;
    options_.observe(event::Stopping{in_flight()});
}

} // namespace fcgi
