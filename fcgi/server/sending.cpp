#include "fcgi/server/sending.hpp"

#include <algorithm>

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

void Sending::add(Client& client, Time now) {
    client.place = clients_.insert(clients_.end(), &client);
    client.state = Client::State::sending;
    client.cut_off = Time::max();
    client.last_taken = now;
    client.queued = queued_bytes(client.socket);
    bytes_left_ += client.writer.bytes_left();
    tell();
}

Client::Progress Sending::send(Client& client, Time now) {
    auto const before = client.writer.bytes_left();
    auto const progress = client.send(options_.observe);
    auto const sent = before - client.writer.bytes_left();
    bytes_left_ -= sent;
    if (!client.answer)
        leave(client);
    else if (sent > 0)
        note_progress(client, now);
    return progress;
}

void Sending::remove(Client& client) {
    client.end_answer(false, options_.observe);
    leave(client);
}

// A socket takes more only when the client has read much of what it holds. So before a client is
// closed for that, this looks whether it has read some.
Client* Sending::overdue(Time now) {
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

Sending::Time Sending::next_look(Time now) const {
    if (clients_.empty()) return Time::max();
    auto const since = clients_.front()->last_taken;
    return std::min(since + options_.limits.write,
                    std::max(since + patience_when_short, now + look_again));
}

void Sending::note_progress(Client& client, Time now) {
    client.last_taken = now;
    client.queued = queued_bytes(client.socket);
    clients_.splice(clients_.end(), clients_, client.place);
    tell();
}

// The response is freed by now, if no other client has it.
void Sending::leave(Client& client) {
    bytes_left_ -= client.writer.bytes_left();
    clients_.erase(client.place);
    client.state = Client::State::reading;
    options_.memory->trim();
    tell();
}

void Sending::tell() const {
    options_.observe(Notice{"sending-responses", {}, clients_.size()});
    options_.observe(Notice{"sending-bytes", {}, bytes_left_});
}

} // namespace fcgi
