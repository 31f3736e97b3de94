#pragma once

#include "fcgi/server/client.hpp"
#include "fcgi/server/server.hpp"

#include <cstddef>
#include <list>

namespace fcgi {

// Holds the clients that did not take their response at once, and decides which have to be closed:
// those that read nothing for `limits.write`, or for a second while memory is short. Their
// responses use that memory, so the client that has read nothing for longest is closed first. Used
// by one thread.
class Sending {
  public:
    using Time = Client::Time;

    explicit Sending(ServerOptions const& options) : options_(options) {}

    std::size_t size() const { return clients_.size(); }

    // Adds a client whose response is not completely sent. Strong exception guarantee.
    void add(Client& client, Time now);
    // Sends to one of these clients. If its response ends with that, the client is removed.
    Client::Progress send(Client& client, Time now);
    // Removes a client that is to be closed. It never gets the rest of its response.
    void remove(Client& client);

    // Returns a client that has to be closed; null: none.
    Client* overdue(Time now);
    // Returns the latest time at which overdue() must be called again.
    Time next_look(Time now) const;

  private:
    void note_progress(Client& client, Time now);
    void leave(Client& client);
    void tell() const;

    ServerOptions const& options_;
    std::list<Client*> clients_; // in the order in which they last read something
    std::size_t bytes_left_ = 0; // of all responses
};

} // namespace fcgi
