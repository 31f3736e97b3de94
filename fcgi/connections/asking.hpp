#pragma once

#include "fcgi/connections/client.hpp"
#include "fcgi/connections/inquiry.hpp"

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

    // `inquiry` may be null: there is nobody to ask. What was confirmed is good for `bound`.
    Asking(Inquiry* inquiry, std::chrono::milliseconds bound) : inquiry_(inquiry), bound_(bound) {}

    int descriptor() const { return inquiry_ ? inquiry_->descriptor() : -1; }
    std::size_t size() const { return clients_.size(); }

    // The epoch that a request which arrives now may be answered in without waiting; 0: none.
    std::uint64_t epoch_at_once(Time now);
    // Takes in a client that has to wait. False: there is no use in that. Strong guarantee.
    bool add(Client& client, Time now);

    // Asks for those who wait, unless a question is under way; for once in a round.
    void ask(Time now);
    // Hears what there is, for when the descriptor is readable.
    void look();
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

    Inquiry* const inquiry_;
    Duration const bound_;
    std::deque<Waiting> clients_; // in the order in which they came
    Inquiry::Answer last_;
    bool is_behind_ = false; // somebody waited in vain, and there was no answer since
    // Of the question that was sent last, and of that whose answer is the last.
    std::uint64_t asked_ = 0;
    Time asked_at_{};
    Time confirmed_at_{};
    bool is_to_be_renewed_ = false; // what was confirmed is half over
};

} // namespace fcgi
