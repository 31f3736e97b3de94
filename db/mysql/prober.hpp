#pragma once

#include "db/mysql/hosts.hpp"

#include <memory>
#include <thread>
#include <vector>

// Asks each of several hosts for its state, with a thread for each, several times a second. The
// account needs no privilege at all. A single host is not asked.
//
//   MariaDB, MySQL   whether it is read_only, and its GTIDs. A replica has to be read_only: that
//                    tells it from a primary.
//   Galera           DO 1, which a node without a majority refuses although it answers SELECT 1;
//                    ready, Primary, synced; and wsrep_last_committed, since a node can say all
//                    that and stand still (its disk is full: 10.6 s behind were seen)

namespace db {

class Interrupter;

class Prober {
  public:
    // The hosts outlive it. Nothing is asked before start().
    explicit Prober(Hosts& hosts);
    // Ends its threads within moments, whatever the servers do.
    ~Prober();
    Prober(Prober const&) = delete;

    // Asks the current hosts that are not asked yet. Call it after any fork.
    void start();

  private:
    void run(Host& host);

    Hosts& hosts_;
    std::unique_ptr<Interrupter> const interrupter_;
    std::vector<HostPointer> asked_;
    std::vector<std::thread> threads_;
};

} // namespace db
