#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/journal.hpp"
#include "db/binlog/landmark.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/row_tag.hpp"
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

class ChangeLog::Table {
  public:
    explicit Table(std::string_view its_name) : name(its_name) {}

    // Database, NUL and table, in lower case.
    std::string_view const name;
    // When it changed last, in the current epoch; 0: not since it began.
    std::atomic<std::uint64_t> changed{0};
    // The columns by whose values rows are told apart, a bit each.
    mutable std::atomic<std::uint64_t> columns_told_apart{0};
    // How many columns it has; rows with more or fewer are not understood.
    mutable std::atomic<std::size_t> columns{0};
};

// What the stream knows: its thread writes it, and all threads read it. Tags, floor and changes are
// numbers of one order, in which transactions become visible: on MariaDB positions, on MySQL the
// numbers of the server's own transactions.
//
// What belongs to an epoch is reset while there is none, and each value is stored with release and
// loaded with acquire: a reader that finds the same epoch after its loads as before has seen
// nothing of another.
class Changes {
  public:
    using Table = ChangeLog::Table;
    using Slot = ChangeLog::Slot;

    Changes();

    // The stream calls this while there is no epoch: nothing of the last one survives.
    void begin(std::uint64_t epoch, std::uint64_t floor, Position reached,
               std::optional<Landmark> landmark = std::nullopt);
    // Returns false if that epoch was over already. Any thread.
    bool end(std::uint64_t epoch);
    std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }

    // The stream calls these in the order of the binlog. Null: nobody has asked for the table.
    Table const* change(std::string_view database, std::string_view name, std::uint64_t at);
    void change(RowTag const& tag, std::uint64_t at);
    void change_rows_of_all(std::uint64_t at);
    void change_all(std::uint64_t at); // also which tables and columns there are
    // Notes all that changes from now on in the journal, too; it outlives this. Null: there is
    // none.
    void write_to(Journal* journal) { journal_ = journal; }
    Journal* journal() const { return journal_; }
    // Notes that all changes up to there are known. Returns true if somebody waits for that.
    bool reach(Position position);

    Position reached() const { return reached_.load(); }

    // The last event that tells this log from others, as far as the stream has come.
    void pass(Landmark landmark);
    std::optional<Landmark> landmark();

    // Makes reach() return true once it comes to that position; `nothing`: nobody waits.
    static constexpr Position nothing = std::numeric_limits<Position>::max();
    void await(Position position) { awaited_.store(position); }

    Table const* table(std::string_view database, std::string_view name);
    Slot slot(RowTag const& tag) const;
    bool tell_apart(Table const* table, std::size_t column, std::size_t columns);
    bool holds(Tag const& tag, std::span<Table const* const> tables,
               std::span<Slot const> slots = {}, ChangeLog::Looked* looked = nullptr) const;
    bool structure_holds(Tag const& tag) const;
    // Returns the position that a tag must have reached to hold.
    std::uint64_t newest(std::span<Table const* const> tables) const;
    // Returns the newest of all changes, including those of tables that table() never returned.
    std::uint64_t newest() const { return newest_.load(std::memory_order_acquire); }

    // Returns a position up to which every snapshot that begins from now on contains everything, as
    // far as is known in this epoch.
    std::uint64_t settled() const { return settled_.load(std::memory_order_acquire); }
    void settle(std::uint64_t epoch, std::uint64_t at);
    // Returns what decides whether to trust MariaDB's report of that position.
    Settlement& settlement() { return settlement_; }
    Settlement const& settlement() const { return settlement_; }

  private:
    static void raise(std::atomic<std::uint64_t>& value, std::uint64_t at);
    std::string const& key(std::string_view database, std::string_view name);

    std::atomic<std::uint64_t> epoch_{0}, floor_{0}, all_{0}, structure_{0}, newest_{0},
        settled_{0};
    std::unique_ptr<std::atomic<std::uint64_t>[]> const slots_; // when each changed last
    Settlement settlement_;
    Journal* journal_ = nullptr; // the stream's
    std::atomic<Position> reached_{0};
    std::atomic<Position> awaited_{nothing};
    std::mutex mutex_; // guards the tables, the landmark, and what must not mix two epochs
    std::optional<Landmark> landmark_;
    std::unordered_map<std::string, std::unique_ptr<Table>> tables_;
    std::string key_;
};

} // namespace db
