#include "fcgi/server/waiting_clients.hpp"

#include <algorithm>
#include <utility>

#include <linux/sockios.h>
#include <sys/ioctl.h>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

constexpr auto patience_when_short = std::chrono::milliseconds(1s);
// Nothing reports that memory is short, so it is checked this often.
constexpr auto look_again = 250ms;

// Returns the bytes that the client has not taken yet: less with time, though not with each byte.
int queued_bytes(int socket) {
    int bytes = 0;
    ::ioctl(socket, SIOCOUTQ, &bytes);
    return bytes;
}

} // namespace

// A client that arrives in the second half of that time causes a new inquiry, so that under load no
// client waits.
std::uint64_t Inquirers::epoch_at_once(Time now) {
    if (last_.epoch == 0 || now - confirmed_at_ >= bound_) return 0;
    is_to_be_renewed_ = now - confirmed_at_ >= bound_ / 2;
    return last_.epoch;
}

void Inquirers::add(Client& client, std::uint64_t inquiry, Time now) {
    clients_.push_back({&client, inquiry, now});
    client.phase = Client::Phase::inquiring;
}

void Inquirers::asked(std::uint64_t inquiry, Time now) {
    asked_ = inquiry;
    asked_at_ = now;
    is_to_be_renewed_ = false;
}

void Inquirers::heard(db::Inquiry::InquiryResult result) {
    auto const before = std::exchange(last_, result);
    if (last_.epoch != before.epoch) confirmed_at_ = {};
    if (last_.epoch == before.epoch && last_.number == before.number) return;
    is_behind_ = false;
    if (last_.number != before.number && last_.number == asked_) confirmed_at_ = asked_at_;
}

Client* Inquirers::next(Time now) {
    if (clients_.empty()) return nullptr;
    auto const [client, inquiry, since] = clients_.front();
    bool const has_reply = last_.epoch != 0 && inquiry <= last_.number;
    if (!has_reply && last_.epoch != 0 && !is_behind_ && now - since < patience) return nullptr;
    is_behind_ = !has_reply && last_.epoch != 0;
    client->request.epoch = has_reply ? last_.epoch : 0;
    clients_.pop_front();
    return client;
}

Inquirers::Time Inquirers::next_look() const {
    return clients_.empty() ? Time::max() : clients_.front().since + patience;
}

void ReturnedClients::reserve(std::size_t clients) {
    auto const grow = [clients](std::vector<Client*>& list) {
        if (list.capacity() < clients) list.reserve(2 * clients);
    };
    grow(taken_);
    std::lock_guard lock(mutex_);
    grow(clients_);
}

// `is_waiting` is read within the lock: the dispatcher sets it and calls take() afterwards, so
// either the flag is seen here, or the client is seen there.
void ReturnedClients::put(Client& client) {
    {
        std::lock_guard lock(mutex_);
        clients_.push_back(&client);
        bool const may_wait = !client.outgoing && client.keep && client.unread.empty() &&
                              !client.is_waiting && !client.holds_much() && !each_is_awaited_;
        if (may_wait || std::exchange(is_woken_, true)) return;
    }
    dispatcher_.wake();
}

void ReturnedClients::await_each() {
    std::lock_guard lock(mutex_);
    each_is_awaited_ = true;
}

std::vector<Client*> const& ReturnedClients::take() {
    taken_.clear();
    std::lock_guard lock(mutex_);
    taken_.swap(clients_);
    is_woken_ = false;
    return taken_;
}

void SlowReaders::add(Client& client, Time now) {
    client.place = clients_.insert(clients_.end(), &client);
    client.phase = Client::Phase::sending;
    client.cut_off = Time::max();
    client.last_taken = now;
    client.queued = queued_bytes(client.socket);
    bytes_left_ += client.writer.bytes_left();
    report();
}

SendResult SlowReaders::send(Client& client, Time now) {
    auto const before = client.writer.bytes_left();
    auto const progress = client.send(options_.observe);
    auto const sent = before - client.writer.bytes_left();
    bytes_left_ -= sent;
    if (!client.outgoing)
        leave(client);
    else if (sent > 0)
        note_progress(client, now);
    return progress;
}

void SlowReaders::remove(Client& client) {
    client.end_response(false, options_.observe);
    leave(client);
}

// A socket takes more only when the client has read much of what it holds. So before a client is
// closed for that, this looks whether it has read some.
Client* SlowReaders::overdue(Time now) {
    while (!clients_.empty()) {
        Client& client = *clients_.front();
        bool const is_short = options_.memory->is_short();
        auto const write = options_.limits.write;
        if (now - client.last_taken < (is_short ? std::min(write, patience_when_short) : write))
            break;
        if (queued_bytes(client.socket) == client.queued) {
            options_.observe(
                Notice{is_short ? EventId("client-cut-off-for-memory") : "client-cut-off"});
            return &client;
        }
        note_progress(client, now);
    }
    return nullptr;
}

SlowReaders::Time SlowReaders::next_look(Time now) const {
    if (clients_.empty()) return Time::max();
    auto const since = clients_.front()->last_taken;
    return std::min(since + options_.limits.write,
                    std::max(since + patience_when_short, now + look_again));
}

void SlowReaders::note_progress(Client& client, Time now) {
    client.last_taken = now;
    client.queued = queued_bytes(client.socket);
    clients_.splice(clients_.end(), clients_, client.place);
    report();
}

// The response is freed by now, if no other client has it.
void SlowReaders::leave(Client& client) {
    bytes_left_ -= client.writer.bytes_left();
    clients_.erase(client.place);
    client.phase = Client::Phase::reading;
    options_.memory->trim();
    report();
}

void SlowReaders::report() const {
    options_.observe(Notice{"sending-responses", {}, clients_.size()});
    options_.observe(Notice{"sending-bytes", {}, bytes_left_});
}

} // namespace fcgi
