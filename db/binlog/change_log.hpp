#pragma once

#include "db/binlog/position.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/database_url.hpp"
#include "parser/base/limits.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Notes which tables changed, and which of their rows, and at which position of the server's
// binlog, so that what was read from them can be cached until it changes. A response from a cache
// entry contains every transaction that was acknowledged to its writer, or visible to any reader of
// the server, before the request arrived, if
//   - the server was asked where its binlog ends when the request arrived (Inquiry), it answered,
//     and the stream has come so far, and
//   - after that the tag of the cache entry holds() for the tables and rows it was read from, and
//     is of the epoch of that reply.
// Writes that the server does not log (`sql_log_bin=0`) are not covered. README.md of this module
// has the proof.

namespace db {

struct RowTag;

// A cache entry with this tag contains all transactions of this epoch that ended at `at` or before.
// Epoch 0: it is not known what the entry contains.
struct Tag {
    std::uint64_t epoch = 0;
    std::uint64_t at = 0;
};

// Why an epoch ends, and how to keep the next one from ending likewise.
struct Ending {
    Ending() = default;
    Ending(char const* its_why) : why(its_why) {}
    Ending(std::string its_why, std::string_view its_fix = {})
        : why(std::move(its_why)), fix(its_fix) {}

    std::string why;
    std::string_view fix; // a constant; empty: a new epoch begins by itself
};

// Why responses cannot be cached without ever being stale, and what an operator can do about it.
// Each is one line.
struct Obstacle {
    std::string what; // for anyone, without names
    std::string fix;
    // What the server said, for the operator; empty: nothing. If it is set, `fix` may have names,
    // too.
    std::string detail = {};

    std::string text() const { return detail.empty() ? what : what + ": " + detail; }

    bool operator==(Obstacle const&) const = default;
};

// An epoch lasts as long as the binlog is followed without a gap. It ends with any doubt, and no
// tag of it holds then.
struct EpochBegan {
    std::uint64_t epoch;
    std::string server; // `MariaDB 10.11.19`
};
struct EpochEnded {
    std::uint64_t epoch;
    std::string why;
    std::string fix; // empty: a new epoch begins by itself
};
// There is no epoch, and none begins before the obstacles are fixed. Reported once, until there are
// other obstacles.
struct LogRefused {
    std::vector<Obstacle> obstacles;
};
// Statements that change everything come more than once a second. Reported once in ten minutes at
// most.
struct StatementsInvalidateAll {
    std::string first_word; // of the last one
    std::string fix;
};
// A connection of the pool leads to another server than the stream, so that nothing that is read
// there is cached. Reported once an epoch.
struct ServersDiffer {
    std::string fix;
};
using ChangeLogEvent =
    std::variant<EpochBegan, EpochEnded, LogRefused, StatementsInvalidateAll, ServersDiffer>;

// Counters; the code that reads them owns this, and may have it in shared memory.
struct ChangeLogUsage {
    std::atomic<std::uint64_t> epochs = 0;     // begun
    std::atomic<std::uint64_t> events = 0;     // of the binlog
    std::atomic<std::uint64_t> statements = 0; // that changed everything
    std::atomic<std::uint64_t> unknown_events = 0;
    std::atomic<std::uint64_t> inquiries = 0;  // where the binlog ends
    std::atomic<std::uint64_t> waits = 0;      // of these, replies that the stream had yet to reach
    std::atomic<std::uint64_t> tags_asked = 0; // asked of the database, since the last was too old
};

class ChangeLog {
  public:
    struct Settings {
        DatabaseUrl url; // of the account that follows the binlog, with the pool's database
        std::uint32_t server_id = 0; // no other replica of the server may have it; 0: a random one
        std::chrono::milliseconds heartbeat{500}; // four of these without a byte end an epoch
        // On a Galera node, the end of the binlog is asked for once the node has all that the
        // cluster has acknowledged.
        bool galera_sync = false;
    };
    using Observe = std::function<void(ChangeLogEvent const&)>;

    // Does nothing before start(), so that it can be made before a fork. The stream's thread, which
    // begins with start(), calls `observe`.
    ChangeLog(Settings settings, Observe observe);
    // Ends the thread within moments, whatever the server does.
    ~ChangeLog();
    ChangeLog(ChangeLog const&) = delete;

    void start();

    // Sets the server to follow from now on; none: there is none. If it is another one, the epoch
    // ends before this returns. Any thread.
    void follow(std::optional<DatabaseUrl> url);

    // Keeps `usage`, which outlives this, up to date from now on. Call it before start().
    void report_to(ChangeLogUsage& usage);

    // Returns what is known of a table; it is the same for all names that differ in case alone, and
    // lives as long as the ChangeLog. The table counts as changed at the moment when it is first
    // asked for. Any thread.
    class Table;
    Table const* table(std::string_view name, std::string_view database = {}); // {}: the pool's

    // Returns 0 if there is no epoch. Any thread.
    std::uint64_t epoch() const;

    // The changes of a row tag are noted in a slot, which other tags may share: nothing grows with
    // the number of rows.
    using Slot = std::uint32_t;
    // Returns the slot of a tag. Any thread.
    Slot slot(RowTag const& tag) const;
    // Declares that rows of the table, which has so many columns, are told apart by this one,
    // counted from 0, from now on; until then none are. Returns false if it is too far behind. Any
    // thread.
    bool tell_apart(Table const* table, std::size_t column, std::size_t columns);

    // How far the stream had come when tables and slots were last looked at and none had changed:
    // they are not looked at again before it has come further. It goes with one tag and what that
    // holds for; a copy knows nothing. Any thread.
    class Looked {
      public:
        Looked() = default;
        Looked(Looked const&) noexcept {}
        Looked& operator=(Looked const&) noexcept {
            until_ = 0;
            return *this;
        }

      private:
        friend class LastChanges;
        std::atomic<Position> until_ = 0;
    };
    // Returns whether nothing in the tables and slots has changed since the tag, as far as the
    // stream has come. `looked` may be null. Any thread, without a lock, some nanoseconds a table
    // or slot.
    bool holds(Tag const& tag, std::span<Table const* const> tables,
               std::span<Slot const> slots = {}, Looked* looked = nullptr) const;

    // Asks the server where its binlog ends, waits until the stream is there, and returns whether
    // nothing in the tables and slots has changed until then. Returns false if that is not known
    // within some 50 ms. Any thread that may wait.
    bool holds_until_now(Tag const& tag, std::span<Table const* const> tables,
                         std::span<Slot const> slots);

    // Returns whether the tables and columns that exist are those of the tag. Statements that
    // change rows do not affect that.
    bool structure_holds(Tag const& tag) const;

    // Returns the tag for the snapshot that is begun on this connection right after this call, and
    // not before. Asks the database if what is known is too old to hold. Returns {} if what is read
    // must not be cached: there is no epoch, the connection leads to another server or failed, or
    // what the server said is not to be trusted (Settlement). Any other tag may be too old at once,
    // too. Any thread.
    Tag tag_for(Connection& connection, std::span<Table const* const> tables,
                parser::Deadline const& deadline = {});

    struct State; // for the sources of this module

  private:
    friend class Inquiry;
    std::unique_ptr<State> state_;
};

} // namespace db
