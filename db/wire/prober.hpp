#pragma once

#include "db/hosts/hosts.hpp"

#include <memory>
#include <thread>
#include <vector>

// Asks each of several hosts how it is, a thread for each, several times a second: for an account
// with no right at all. Of one alone nothing is asked.
//
//   MariaDB, MySQL   whether it is read_only, and its GTIDs. A replica is to be read_only: by that
//                    it is told from a primary.
//   Galera           DO 1, which a node without a majority refuses where it still answers SELECT 1;
//                    ready, Primary, synced; and wsrep_last_committed, since a node can say all
//                    that and stand still (its disk is full: 10.6 s behind were seen)

namespace db {

class Leash;

class Prober {
  public:
    // The hosts outlive it. Nothing is asked before start().
    explicit Prober(Hosts& hosts);
    // Ends its threads within moments, whatever the servers do.
    ~Prober();
    Prober(Prober const&) = delete;

    // Asks those that there are now and were not asked so far. After any fork.
    void start();

  private:
    void run(Host& host);

    Hosts& hosts_;
    std::unique_ptr<Leash> const leash_;
    std::vector<HostPointer> asked_;
    std::vector<std::thread> threads_;
};

} // namespace db
