#pragma once

#include "fcgi/serving/client.hpp"
#include "fcgi/serving/server.hpp"

#include <cstddef>
#include <list>

namespace fcgi {

// The clients that did not take their answer at once, and who of them has to go: who takes nothing
// for `limits.write`, or, while memory is short, for a second. Their answers are a part of that
// memory, so the one that took nothing for longest goes first. Used by one thread.
class Sending {
  public:
    using Time = Client::Time;

    explicit Sending(ServerOptions const& options) : options_(options) {}

    std::size_t size() const { return clients_.size(); }

    // Takes in a client of whose answer something is left. Strong guarantee.
    void add(Client& client, Time now);
    // To one of these. Where its answer ends with that, it is none of these any more.
    Client::Progress send(Client& client, Time now);
    // It is to be closed. What it has not got by now it never gets.
    void remove(Client& client);

    // Who has to go, if anyone.
    Client* overdue(Time now);
    // When to ask for that again, whatever happens until then.
    Time next_look(Time now) const;

  private:
    void note_progress(Client& client, Time now);
    void leave(Client& client);
    void tell() const;

    ServerOptions const& options_;
    std::list<Client*> clients_; // who took something last is last
    std::size_t bytes_left_ = 0; // of all
};

} // namespace fcgi
