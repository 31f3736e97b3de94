#pragma once

#include "db/binlog/inquiry.hpp"
#include "fcgi/server/client.hpp"
#include "fcgi/server/epoll.hpp"
#include "fcgi/server/server.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <vector>

// The clients that wait for something else than a worker: to hear whether anything changed, to be
// given back to the dispatcher, and to read the rest of their response.

namespace fcgi {

// Holds the clients whose request waits until it is known whether anything changed before it
// arrived. One inquiry serves all requests that arrived before it was sent, so that many clients
// need hardly more inquiries than one. Used by one thread.
class Inquirers {
  public:
    using Time = Client::Time;
    using Duration = Time::duration;

    // No client waits longer. A client that has no reply by then is answered without the cache, and
    // so is every later one, at once, until a reply comes again.
    static constexpr std::chrono::milliseconds patience{50};

    // A confirmation is valid for `bound`.
    explicit Inquirers(std::chrono::milliseconds bound) : bound_(bound) {}

    std::size_t size() const { return clients_.size(); }

    // Returns the epoch in which a request that arrives now can be answered at once; 0: none.
    std::uint64_t epoch_at_once(Time now);
    // Returns whether replies currently come in time.
    bool may_wait() const { return last_.epoch != 0 && !is_behind_; }
    // Adds a client that has to wait for the reply to `inquiry`. Requires may_wait().
    // Strong exception guarantee.
    void add(Client& client, std::uint64_t inquiry, Time now);

    // Returns whether an inquiry has to be sent, if only to see that replies come in time again.
    bool is_to_ask() const { return !clients_.empty() || is_behind_ || is_to_be_renewed_; }
    // Notes that an inquiry was sent.
    void asked(std::uint64_t inquiry, Time now);
    // Notes the last reply.
    void heard(db::Inquiry::InquiryResult result);
    // Removes a client whose wait is over, with its Request::epoch set. Null: there is none.
    Client* next(Time now);
    // Returns the latest time at which next() must be called again.
    Time next_look() const;

  private:
    struct Inquirer {
        Client* client;
        std::uint64_t inquiry;
        Time since;
    };

    Duration const bound_;
    std::deque<Inquirer> clients_; // in the order of their arrival
    db::Inquiry::InquiryResult last_{};
    bool is_behind_ = false; // a client waited in vain, and no reply came since
    // The first two belong to the inquiry sent last, the third to the one answered last.
    std::uint64_t asked_ = 0;
    Time asked_at_{};
    Time confirmed_at_{};
    bool is_to_be_renewed_ = false; // half of the confirmation's time is over
};

// Passes clients back from workers to the dispatcher. The dispatcher need not be woken for each: a
// client whose response is sent in full, and that has sent nothing since, can wait until something
// else happens, such as its next request. Otherwise each response would wake the dispatcher twice,
// and a switch of threads costs as much as copying 50 KB.
class ReturnedClients {
  public:
    // The dispatcher waits at `dispatcher`, which outlives this.
    explicit ReturnedClients(Epoll const& dispatcher) : dispatcher_(dispatcher) {}

    // Reserves memory for so many clients, so that a worker needs none to give one back.
    void reserve(std::size_t clients);

    // Any thread may call this; the client is the dispatcher's from then on.
    void put(Client& client);
    // From now on the dispatcher is woken for each client.
    void await_each();
    // Called by the dispatcher. Returns all clients, valid until the next call.
    std::vector<Client*> const& take();

  private:
    Epoll const& dispatcher_;
    std::mutex mutex_;
    std::vector<Client*> clients_;
    std::vector<Client*> taken_;
    bool is_woken_ = false;
    bool each_is_awaited_ = false;
};

// Holds the clients that did not take their response at once, and decides which have to be closed:
// those that read nothing for `limits.write`, or for a second while memory is short. Their
// responses use that memory, so the client that has read nothing for longest is closed first. Used
// by one thread.
class SlowReaders {
  public:
    using Time = Client::Time;

    explicit SlowReaders(ServerOptions const& options) : options_(options) {}

    std::size_t size() const { return clients_.size(); }

    // Adds a client whose response is not completely sent. Strong exception guarantee.
    void add(Client& client, Time now);
    // Sends to one of these clients. If its response ends with that, the client is removed.
    SendResult send(Client& client, Time now);
    // Removes a client that is to be closed. It never gets the rest of its response.
    void remove(Client& client);

    // Returns a client that has to be closed; null: none.
    Client* overdue(Time now);
    // Returns the latest time at which overdue() must be called again.
    Time next_look(Time now) const;

  private:
    void note_progress(Client& client, Time now);
    void leave(Client& client);
    void report() const;

    ServerOptions const& options_;
    std::list<Client*> clients_; // in the order in which they last read something
    std::size_t bytes_left_ = 0; // of all responses
};

} // namespace fcgi
