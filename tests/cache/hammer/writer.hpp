#pragma once

#include "run.hpp"
#include "session.hpp"

#include <random>
#include <stop_token>
#include <vector>

namespace hammer {

// Writes to the entries that are its own, each transaction to some, and notes in the ledger what
// was acknowledged.
class Writer {
  public:
    // `number` from 0, of run.options.writers.
    Writer(Run& run, unsigned number);
    void work(std::stop_token const& stopped);

  private:
    enum class Outcome { committed, rolled_back, unknown };
    struct Change {
        std::size_t cell;
        std::uint64_t number;
    };

    Outcome transaction();
    void note_totals(std::size_t type);
    Outcome link();
    std::size_t own_cell(); // of a `v`
    std::uint64_t random(std::uint64_t below) { return random_() % below; }
    bool write(Change const& change);
    void pause();

    Run& run_;
    unsigned const number_;
    Session session_;
    std::mt19937_64 random_;
    std::vector<Change> changes_; // of the transaction
};

} // namespace hammer
