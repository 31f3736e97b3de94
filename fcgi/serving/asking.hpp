#pragma once

#include "db/binlog/inquiry.hpp"
#include "fcgi/serving/client.hpp"

#include <chrono>
#include <cstddef>
#include <deque>

namespace fcgi {

// The clients whose request waits until it is known whether anything changed before it arrived. One
// question is asked for all who arrived meanwhile, so the more there are, the fewer it takes for
// each. Used by one thread.
class Asking {
  public:
    using Time = Client::Time;
    using Duration = Time::duration;

    // Nobody waits longer: who has not heard by then is answered without the cache, and so is
    // whoever comes after, at once, until there is an answer again.
    static constexpr std::chrono::milliseconds patience{50};

    // What was confirmed is good for `bound`.
    explicit Asking(std::chrono::milliseconds bound) : bound_(bound) {}

    std::size_t size() const { return clients_.size(); }

    // The epoch that a request which arrives now may be answered in without waiting; 0: none.
    std::uint64_t epoch_at_once(Time now);
    // Whether there is somebody who answers in time.
    bool may_wait() const { return last_.epoch != 0 && !is_behind_; }
    // Takes in a client that has to wait for the answer to this question, where it may_wait().
    // Strong guarantee.
    void add(Client& client, std::uint64_t question, Time now);

    // Whether a question is to be sent.
    bool is_to_ask() const { return !clients_.empty() || is_to_be_renewed_; }
    // It was.
    void asked(std::uint64_t question, Time now);
    // What was answered last, and in which epoch.
    void heard(db::Inquiry::Answer answer);
    // Takes out a client whose wait is over, with Request::epoch. Null: there is none.
    Client* next(Time now);
    // When to call that again, whatever happens until then.
    Time next_look() const;

  private:
    struct Waiting {
        Client* client;
        std::uint64_t question;
        Time since;
    };

    Duration const bound_;
    std::deque<Waiting> clients_; // in the order in which they came
    db::Inquiry::Answer last_{};
    bool is_behind_ = false; // somebody waited in vain, and there was no answer since
    // Of the question that was sent last, and of that whose answer is the last.
    std::uint64_t asked_ = 0;
    Time asked_at_{};
    Time confirmed_at_{};
    bool is_to_be_renewed_ = false; // what was confirmed is half over
};

} // namespace fcgi
