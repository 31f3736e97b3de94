#pragma once

#include "db/binlog/inquiry.hpp"
#include "fcgi/server/client.hpp"

#include <chrono>
#include <cstddef>
#include <deque>

namespace fcgi {

// Holds the clients whose request waits until it is known whether anything changed before it
// arrived. One inquiry serves all requests that arrived before it was sent, so that many clients
// need hardly more inquiries than one. Used by one thread.
class Asking {
  public:
    using Time = Client::Time;
    using Duration = Time::duration;

    // No client waits longer. A client that has no reply by then is answered without the cache, and
    // so is every later one, at once, until a reply comes again.
    static constexpr std::chrono::milliseconds patience{50};

    // A confirmation is valid for `bound`.
    explicit Asking(std::chrono::milliseconds bound) : bound_(bound) {}

    std::size_t size() const { return clients_.size(); }

    // Returns the epoch in which a request that arrives now can be answered at once; 0: none.
    std::uint64_t epoch_at_once(Time now);
    // Returns whether replies currently come in time.
    bool may_wait() const { return last_.epoch != 0 && !is_behind_; }
    // Adds a client that has to wait for the reply to the inquiry `question`. Requires may_wait().
    // Strong exception guarantee.
    void add(Client& client, std::uint64_t question, Time now);

    // Returns whether an inquiry has to be sent, if only to see that replies come in time again.
    bool is_to_ask() const { return !clients_.empty() || is_behind_ || is_to_be_renewed_; }
    // Notes that an inquiry was sent.
    void asked(std::uint64_t question, Time now);
    // Notes the last reply.
    void heard(db::Inquiry::InquiryResult answer);
    // Removes a client whose wait is over, with its Request::epoch set. Null: there is none.
    Client* next(Time now);
    // Returns the latest time at which next() must be called again.
    Time next_look() const;

  private:
    struct Waiting {
        Client* client;
        std::uint64_t question;
        Time since;
    };

    Duration const bound_;
    std::deque<Waiting> clients_; // in the order of their arrival
    db::Inquiry::InquiryResult last_{};
    bool is_behind_ = false; // a client waited in vain, and no reply came since
    // The first two belong to the inquiry sent last, the third to the one answered last.
    std::uint64_t asked_ = 0;
    Time asked_at_{};
    Time confirmed_at_{};
    bool is_to_be_renewed_ = false; // half of the confirmation's time is over
};

} // namespace fcgi
