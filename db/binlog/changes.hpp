#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/row_tag.hpp"
#include "db/binlog/server_facts.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace db {

class Journal;

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

// Decides whether to trust MariaDB's report of how far transactions are visible, which is in
// binlog_snapshot_file and _position. The server stores these two apart (10.11, 11.8): a new file
// sets both while transactions of the old file are about to become visible, and each of these then
// sets only the offset, to one of the old file. Such a pair is beyond what is visible, and stays
// until the next one is set.
//
// The checkpoint event helps. If it names the file that it is in, no transaction of an older file
// is about to become visible any more. In the head of a file it means that none ever was. Later
// in a file it also sets the offset to its own end, although transactions of this file may not be
// visible yet; so a position beyond that end is true once a later transaction is logged. And a true
// position is always the end of a transaction.
//
// The stream's thread writes it, and any thread reads it.
class Settlement {
  public:
    // Says that the binlog is followed from `position` on. `checkpoint` is the end of the event
    // that names the file, or the beginning of the file if that event is in its head; none if the
    // event has not come yet, or is not known.
    void begin(Position position, std::optional<Position> checkpoint);
    void enter_file();
    void checkpoint(Position end); // of an event that names the file it is in
    void begin_transaction();
    void end_transaction(Position end);

    // Returns none if nothing that the server says now can be trusted. Call it before the server is
    // asked.
    std::optional<Position> true_beyond() const;
    // Returns whether `said` is true; the server must have said it after `beyond` was taken.
    bool is_true(Position said, std::optional<Position> beyond) const;

  private:
    void note(Position end);

    mutable std::mutex mutex_;
    bool is_in_head_ = false; // no transaction of the file has come yet
    std::optional<Position> checkpoint_;
    std::optional<Position> true_beyond_;
    std::deque<Position> ends_; // the last ends of transactions, ascending
};

// What the stream knows: its thread writes it, and all threads read it. Tags, floor and changes are
// numbers of one order, in which transactions become visible: on MariaDB positions, on MySQL the
// numbers of the server's own transactions.
//
// What belongs to an epoch is reset while there is none, and each value is stored with release and
// loaded with acquire: a reader that finds the same epoch after its loads as before has seen
// nothing of another.
class LastChanges {
  public:
    using Table = ChangeLog::Table;
    using Slot = ChangeLog::Slot;

    LastChanges();

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
