#include "fcgi/server/dispatcher.hpp"

#include "fcgi/http/representation.hpp"
#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t buffer_bytes = 64 * 1024;
// A client that sends without pause lets the others in after so many buffers.
constexpr int buffers_in_a_row = 16;
// A worker that gives up at its deadline still has this long to get its response to the client.
constexpr auto time_to_say_so = 1s;
constexpr auto accept_pause = 100ms;
constexpr unsigned reading = EPOLLIN | EPOLLRDHUP | EPOLLET; // from a client
// A client that connects to make a request does so within this time.
constexpr auto time_for_first_request = 100ms;

bool is_readable(int descriptor) {
    pollfd entry{descriptor, POLLIN, 0};
    return ::poll(&entry, 1, 0) == 1;
}

} // namespace

Dispatcher::Dispatcher(Listener& listener, Service& service, ServerOptions const& options,
                       RequestQueue& queue)
    : listener_(listener),
      service_(service),
      options_(options),
      queue_(queue),
      buffer_(buffer_bytes),
      inquirers_(options.inquiry_bound),
      slow_readers_(options),
      reloader_(options) {
    if (auto* const log = service.change_log()) inquiry_.emplace(*log);
    bool const is_watched =
        epoll_.watch(listener_.fd(), EPOLLIN | EPOLLET | EPOLLEXCLUSIVE, &listener_) &&
        (!inquiry_ || epoll_.watch(inquiry_->descriptor(), EPOLLIN, &inquiry_));
    if (!is_watched) throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

Dispatcher::~Dispatcher() {
    for (auto& [fd, client] : clients_)
        ::close(fd);
}

int Dispatcher::run() {
    while (!draining() || !clients_.empty()) {
        wait_for_events();
        heartbeat_.beat(now_);
        take_back_clients();
        respond_to_inquirers();
        ask_for_changes();
        if (now_ >= accept_again_) accept_connections();
        if (reload_requested_.exchange(false)) reloader_.ask();
        if (stop_requested_ && !draining()) begin_drain();
        cut_off_overdue();
        while (auto* silent = slow_readers_.overdue(now_))
            close(*silent);
        options_.memory->trim();
        if (now_ >= drain_end_) {
            if (in_flight() == 0) return 0;
            options_.observe(Notice{"requests-cut-off", {}, in_flight()});
            for_each_client([this](Client& client) { cut_off(client); });
            return 1;
        }
    }
    return 0;
}

void Dispatcher::stop() noexcept {
    stop_requested_ = true;
    epoll_.wake();
}

void Dispatcher::reload() noexcept {
    reload_requested_ = true;
    epoll_.wake();
}

void Dispatcher::wait_for_events() {
    auto const due = std::min({next_cut_off_, inquirers_.next_look(), slow_readers_.next_look(now_),
                               accept_again_, drain_end_, heartbeat_.next()});
    auto const events = epoll_.wait(due);
    now_ = Clock::now();
    bool has_clients = false;
    for (auto const& event : events) {
        void* const tag = event.data.ptr;
        if (tag == &listener_)
            has_clients = true;
        else if (tag == &inquiry_)
            inquirers_.heard(inquiry_->look());
        else if (tag) // closes at most this one
            notice(*static_cast<Client*>(tag), event.events);
    }
    if (has_clients) accept_connections();
}

void Dispatcher::accept_connections() {
    accept_again_ = Time::max();
    for (;;) {
        int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        int const error = fd >= 0 ? 0 : errno;
        if (fd >= 0 && !admit(fd)) return pause_accepting(ENOMEM);
        if (fd >= 0 || error == EINTR || error == ECONNABORTED) continue;
        // Without a descriptor to give, accept4 does not check whether a client waits.
        if (error == EAGAIN || !is_readable(listener_.fd())) return;
        bool const none_left = error == EMFILE || error == ENFILE;
        if (!none_left || !make_room()) return pause_accepting(error);
    }
}

bool Dispatcher::admit(int fd) try {
    if (auto const address = options_.allowed_hosts.refused(fd)) {
        options_.observe(Notice{"host-refused", {*address}});
        ::close(fd);
        return true;
    }
    returned_.reserve(clients_.size() + 1);
    auto& client =
        clients_
            .try_emplace(fd, fd, options_.limits.parameters, parser::MemoryShare(*options_.memory))
            .first->second;
    if (!epoll_.watch(fd, reading, &client)) close(client);
    return true;
} catch (std::bad_alloc const&) {
    ::close(fd);
    return false;
}

// A client that sends no more of its request goes only if none is idle.
bool Dispatcher::make_room() {
    auto closed = close_oldest([](Client const& client) {
        return client.is_idle() ? client.request.arrived : Time::max();
    });
    auto const is_idle = [](auto const& entry) { return entry.second.is_idle(); };
    if (closed == 0 && std::ranges::none_of(clients_, is_idle))
        closed = close_oldest([this](Client const& client) {
            return client.has_half_a_request() ? client.cut_off - options_.limits.read
                                               : Time::max();
        });
    if (closed > 0) options_.observe(Notice{"idle-closed", {}, closed});
    return closed > 0;
}

// Closes the client that has waited for longest, and all that have for half as long, so that not
// every new client causes a look at all others. A client whose request has arrived, though we have
// not read it yet, does not wait. `since` says from when on a client waits; never: Time::max().
std::size_t Dispatcher::close_oldest(auto since) {
    auto const latest = now_ - time_for_first_request;
    auto longest = latest;
    for_each_client([&](Client const& client) { longest = std::min(longest, since(client)); });
    auto const until = std::min(latest, longest + (now_ - longest) / 2);
    std::size_t closed = 0;
    for_each_client([&](Client& client) {
        if (since(client) > until || is_readable(client.socket)) return;
        close(client);
        ++closed;
    });
    return closed;
}

// Descriptors or memory ran out. The waiting clients raise no further edge, so try by the clock.
void Dispatcher::pause_accepting(int error) {
    options_.observe(Notice{"accept-failed", {std::strerror(error)}});
    accept_again_ = now_ + accept_pause;
}

// A client that closed both directions cannot be sent anything any more. (On TCP a client that is
// gone looks like one that has sent all that it wants to send, until it is written to.)
void Dispatcher::notice(Client& client, unsigned events) {
    if ((events & (EPOLLHUP | EPOLLERR)) != 0) client.abandoned = true;
    if ((events & EPOLLRDHUP) != 0) client.ended = true;
    client.is_waiting = true;
    attend(client,
           [&] { client.phase == Client::Phase::sending ? send_on(client) : receive(client); });
}

void Dispatcher::receive(Client& client) {
    for (int i = 0; i < buffers_in_a_row; ++i) {
        // Bytes that arrive while it is answered stay in the socket; go_on looks again.
        if (!client.is_read()) return;
        auto count = ::recv(client.socket, buffer_.data(), buffer_.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return close(client);
        auto bytes = std::string_view(buffer_.data(), static_cast<std::size_t>(count));
        // A socket that gives less than it is asked for is empty: further bytes are an event.
        client.is_waiting = client.ended || bytes.size() == buffer_.size();
        if (client.phase == Client::Phase::reading) feed(client, bytes);
        if (!client.is_waiting) return;
    }
    // Setting the same events again makes epoll report the rest as new.
    if (client.is_read()) epoll_.watch(client.socket, reading, &client, EPOLL_CTL_MOD);
}

void Dispatcher::feed(Client& client, std::string_view bytes) {
    auto& reader = client.reader;
    do {
        bytes.remove_prefix(reader.take(bytes));
        client.memory.settle();
        // Clients that send little are still served then.
        if (client.holds_much() && options_.memory->is_short()) throw parser::OutOfBudget();
        if (auto replies = reader.take_replies(); !replies.empty()) {
            auto sent = ::send(client.socket, replies.data(), replies.size(), MSG_NOSIGNAL);
            // The client makes requests without reading the replies.
            if (sent != static_cast<ssize_t>(replies.size())) return end(client);
        }
    } while (reader.progress() == HeadProgress::complete && serve_at_once(client));
    if (client.phase == Client::Phase::closing) return;
    switch (reader.progress()) {
    case HeadProgress::idle:
        client.cut_off = Time::max();
        break;
    case HeadProgress::partial:
        if (client.cut_off == Time::max()) cut_off_at(client, now_ + options_.limits.read);
        break;
    case HeadProgress::complete:
        client.unread.assign(bytes);
        if (client.phase == Client::Phase::sending) break;
        if (client.request.epoch == 0 && inquirers_.may_wait())
            inquirers_.add(client, inquiry_->next(), now_);
        else
            enqueue(client);
        break;
    case HeadProgress::over:
        if (auto const& why = reader.refusal())
            reject(client, *why);
        else
            end(client);
        break;
    }
}

// Returns false if the request is for a worker, if the next one has to wait, or if it was the last
// that this client may make.
bool Dispatcher::serve_at_once(Client& client) {
    client.begin_request(now_, options_.limits.request);
    client.request.number = next_request_++;
    client.request.epoch = inquirers_.epoch_at_once(now_);
    client.request.is_from_edge = is_from_edge(client);
    client.fresh = false;
    if (!respond_at_once(service_, client.request, fresh(at_once_))) return false;
    if (!send_at_once(client)) return false;
    if (!client.keep || draining()) {
        end(client);
        return false;
    }
    client.cut_off = Time::max();
    client.drop_request();
    return true;
}

// Returns false if there is more of the response than the socket takes now.
bool Dispatcher::send_at_once(Client& client) {
    client.begin_response(at_once_);
    client.send(options_.observe);
    if (!client.outgoing) return true;
    at_once_ = nullptr;
    start_sending(client);
    return false;
}

// Answers the clients whose wait is over, or enqueues them.
void Dispatcher::respond_to_inquirers() {
    while (auto* const client = inquirers_.next(now_))
        attend(*client, [&] {
            if (!respond_at_once(service_, client->request, fresh(at_once_)))
                enqueue(*client);
            else if (send_at_once(*client))
                go_on(*client);
        });
}

// One inquiry serves all that arrived before it is sent; none is sent while another is on its way.
void Dispatcher::ask_for_changes() {
    if (!inquirers_.is_to_ask()) return;
    auto const number = inquiry_->next();
    inquiry_->ask();
    if (inquiry_->next() != number) inquirers_.asked(number, now_);
}

void Dispatcher::enqueue(Client& client) {
    client.request.hand_over = client.reader.head().value("POPULATE_HAND_OVER");
    queue_.push(client);
    client.phase = Client::Phase::handling;
    cut_off_at(client, client.request.deadline.at + time_to_say_so);
    ++handling_;
}

// No client can set this parameter: those of its headers begin with HTTP_.
bool Dispatcher::is_from_edge(Client const& client) const {
    return service_.tag_names() && client.reader.head().value("POPULATE_EDGE") == "1";
}

void Dispatcher::reject(Client& client, parser::Error const& why) {
    client.request = {};
    client.request.number = next_request_++;
    client.request.is_from_edge = is_from_edge(client);
    write_error(why, client.request, fresh(at_once_));
    if (send_at_once(client)) end(client);
}

void Dispatcher::take_back_clients() {
    for (auto* client : returned_.take()) {
        --handling_;
        attend(*client, [&] { client->outgoing ? start_sending(*client) : go_on(*client); });
    }
}

// A change of the watch makes epoll report at once if the socket takes something by now.
void Dispatcher::start_sending(Client& client) {
    slow_readers_.add(client, now_);
    epoll_.watch(client.socket, reading | EPOLLOUT, &client, EPOLL_CTL_MOD);
}

void Dispatcher::send_on(Client& client) {
    auto const result = slow_readers_.send(client, now_);
    if (result == SendResult::blocked) return;
    epoll_.watch(client.socket, client.outgoing ? reading | EPOLLOUT : reading, &client,
                 EPOLL_CTL_MOD);
    if (!client.outgoing) go_on(client);
}

// Continues with the client after its response.
void Dispatcher::go_on(Client& client) {
    if (draining()) return close(client);
    if (client.keep)
        read_on(client);
    else
        end(client);
    if (client.is_waiting) receive(client);
}

void Dispatcher::read_on(Client& client) {
    client.phase = Client::Phase::reading;
    client.cut_off = Time::max();
    auto const count = client.unread.copy(buffer_.data(), buffer_.size());
    client.drop_request();
    feed(client, {buffer_.data(), count});
}

// Closing with bytes unread would make the kernel cancel what the client has not read yet. So only
// our side is shut, and the rest of what the client sends is thrown away until it closes its own.
void Dispatcher::end(Client& client) {
    ::shutdown(client.socket, SHUT_WR);
    client.phase = Client::Phase::closing;
    client.drop_request();
    cut_off_at(client, now_ + options_.limits.read);
}

void Dispatcher::close(Client& client) {
    if (client.phase == Client::Phase::sending) slow_readers_.remove(client);
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
        else if (client.phase == Client::Phase::handling) {
            options_.observe(Notice{"requests-cut-off"});
            cut_off(client);
        } else
            close(client);
    });
}

// The worker's next system call on the socket fails. The socket stays open until the worker gives
// the client back, so that its number cannot come to mean another connection.
void Dispatcher::cut_off(Client& client) {
    ::shutdown(client.socket, SHUT_RDWR);
    client.cut_off = Time::max();
}

// Requests that have arrived in full are answered, whether we had noticed them or not. Clients that
// have just connected may still send one: a web server does not try again if a new connection
// failed.
void Dispatcher::begin_drain() {
    notify_systemd("STOPPING=1");
    accept_connections();
    accept_again_ = Time::max();
    // Closing alone would not end the watch if other processes share the socket.
    epoll_.unwatch(listener_.fd());
    listener_.close();
    returned_.await_each();
    take_back_clients();
    for_each_client([this](Client& client) { attend(client, [&] { receive(client); }); });
    for_each_client([this](Client& client) {
        if (client.phase == Client::Phase::reading && client.fresh)
            cut_off_at(client, now_ + time_for_first_request);
        else if (client.is_read())
            close(client);
    });
    drain_end_ = now_ + options_.limits.drain;
    options_.observe(Notice{"stopping", {}, in_flight()});
}

Reloader::Reloader(ServerOptions const& options) : options_(options) {
    if (options_.reload) thread_ = std::jthread([this](std::stop_token stopped) { run(stopped); });
}

Reloader::~Reloader() {
    thread_.request_stop();
    ask();
}

void Reloader::run(std::stop_token const& stopped) {
    for (unsigned seen = 0;;) {
        requested_.wait(seen);
        if (stopped.stop_requested()) return;
        seen = requested_;
        try {
            options_.reload();
        } catch (std::exception const& error) { // no memory for the new schema, for example
            options_.observe(Notice{"schema-kept", {error.what()}});
        }
    }
}

} // namespace fcgi
