#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/settlement.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace db {

// When it changed last, in the epoch that there is; 0: not since it began.
class ChangeLog::Table {
  public:
    std::atomic<std::uint64_t> changed{0};
};

// What the stream knows, written by its thread and read by all. Tags, floor and changes are numbers
// of one order, in which transactions become visible: on MariaDB positions, on MySQL the numbers of
// the server's own transactions.
//
// What is of an epoch is reset while there is none, and each value is stored with release and
// loaded with acquire: who finds the same epoch after its loads as before has seen nothing of
// another.
class Changes {
  public:
    using Table = ChangeLog::Table;

    // By the stream, while there is no epoch: nothing of the last one survives.
    void begin(std::uint64_t epoch, std::uint64_t floor, Position reached);
    // Any thread. False: that was not the epoch any more.
    bool end(std::uint64_t epoch);
    std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }

    // By the stream, in the order of the log.
    void change(std::string_view database, std::string_view name, std::uint64_t at);
    void change_rows_of_all(std::uint64_t at);
    void change_all(std::uint64_t at); // which tables and columns there are, too
    // All up to there is in the changes. True: it is waited for.
    bool reach(Position position);

    Position reached() const { return reached_.load(); }
    // From now on reach() tells of it; `nothing`: nobody waits.
    static constexpr Position nothing = std::numeric_limits<Position>::max();
    void await(Position position) { awaited_.store(position); }

    Table const* table(std::string_view database, std::string_view name);
    bool holds(Tag const& tag, std::span<Table const* const> tables) const;
    bool structure_holds(Tag const& tag) const;
    // What a tag must reach to hold.
    std::uint64_t newest(std::span<Table const* const> tables) const;
    // The newest of all changes; of tables that nobody asked for, too.
    std::uint64_t newest() const { return newest_.load(std::memory_order_acquire); }

    // All up to there is visible to each snapshot that begins from now on, as far as anybody in
    // this epoch knows.
    std::uint64_t settled() const { return settled_.load(std::memory_order_acquire); }
    void settle(std::uint64_t epoch, std::uint64_t at);
    // Of what MariaDB says of that.
    Settlement& settlement() { return settlement_; }
    Settlement const& settlement() const { return settlement_; }

  private:
    void raise(std::atomic<std::uint64_t>& value, std::uint64_t at);
    std::string const& key(std::string_view database, std::string_view name);

    std::atomic<std::uint64_t> epoch_{0}, floor_{0}, all_{0}, structure_{0}, newest_{0},
        settled_{0};
    Settlement settlement_;
    std::atomic<Position> reached_{0};
    std::atomic<Position> awaited_{nothing};
    std::mutex mutex_; // of the tables, and of whatever must not be of two epochs
    std::unordered_map<std::string, std::unique_ptr<Table>> tables_;
    std::string key_;
};

} // namespace db
