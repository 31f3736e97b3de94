#pragma once

#include "db/binlog/obstacle.hpp"
#include "db/hosts/database_url.hpp"
#include "db/mysql/connection.hpp"
#include "parser/base/deadline.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Which tables changed, up to where in the log of the server: so that what was read of them can be
// kept for as long as it is what would be read again. An answer made of what is kept contains every
// transaction that was acknowledged to its writer, or visible to any reader of the server, before
// the request for it arrived, if
//   - at the request's arrival it was asked where the log ends (Inquiry), the answer came, and the
//     stream has come so far, and
//   - after that the tag of what is kept holds() for the tables it was read from, and is of the
//   epoch
//     of that answer.
// Not covered are writes that the server does not log (`sql_log_bin=0`).
//
// The log is written before a transaction becomes visible, and that before its acknowledgement. So
// what is asked for is where the log ends, and never less than all that is visible; and what is
// kept is tagged with what was visible when its snapshot began, and never more.

namespace db {

// All that ended up to `at` in this epoch is in what has the tag. Epoch 0: nothing is known.
struct Tag {
    std::uint64_t epoch = 0;
    std::uint64_t at = 0;
};

// As long as the log is followed without a gap. It ends with any doubt, and all tags with it.
struct EpochBegan {
    std::uint64_t epoch;
    std::string server; // `MariaDB 10.11.19`
};
struct EpochEnded {
    std::uint64_t epoch;
    std::string why;
    std::string cure; // empty: it begins anew by itself
};
// There is no epoch, and none begins before this is cured. Told once, until it is other obstacles.
struct LogRefused {
    std::vector<Obstacle> obstacles;
};
// Statements change everything, more than one a second. Told once in ten minutes at most.
struct StatementsVoidAll {
    std::string first_word; // of the last one
    std::string cure;
};
// A connection of the pool leads to another server than the stream: nothing that is read there is
// kept. Told once an epoch.
struct ServersDiffer {
    std::string cure;
};
using ChangeLogEvent =
    std::variant<EpochBegan, EpochEnded, LogRefused, StatementsVoidAll, ServersDiffer>;

// Whoever wants to know it owns this, and may have it in shared memory.
struct ChangeLogUsage {
    std::atomic<std::uint64_t> epochs = 0;     // begun
    std::atomic<std::uint64_t> events = 0;     // of the log
    std::atomic<std::uint64_t> statements = 0; // that changed everything
    std::atomic<std::uint64_t> unknown_events = 0;
    std::atomic<std::uint64_t> questions = 0;  // where the log ends
    std::atomic<std::uint64_t> waits = 0;      // of them for the stream, which was behind
    std::atomic<std::uint64_t> tags_asked = 0; // of the database, since the last one was too old
};

class ChangeLog {
  public:
    struct Settings {
        DatabaseUrl url; // of the account that may follow the log; its name is the pool's
        std::uint32_t server_id = 0; // as no other replica of the server has it; 0: a random one
        std::chrono::milliseconds heartbeat{500}; // four without a byte end an epoch
        // Of a Galera node: the end of its log is asked for once it has all that the cluster has
        // acknowledged.
        bool galera_sync = false;
    };
    using Observe = std::function<void(ChangeLogEvent const&)>;

    // Does nothing before start(), so that it can be made before a fork. `observe` is called by the
    // stream's thread, which begins with start().
    ChangeLog(Settings settings, Observe observe);
    // Ends the thread within moments, whatever the server does.
    ~ChangeLog();
    ChangeLog(ChangeLog const&) = delete;

    void start();

    // The server to follow from now on; none: there is none. Another one ends the epoch, before
    // this returns. Any thread.
    void follow(std::optional<DatabaseUrl> url);

    // From now on `usage` is kept up to date, which outlives this. Before start().
    void report_to(ChangeLogUsage& usage);

    // What is to be known of a table; the same for all names that differ in case alone. Lives as
    // long as the ChangeLog. Counts as changed at the moment when it is first asked for. Any
    // thread.
    class Table;
    Table const* table(std::string_view name, std::string_view database = {}); // {}: the pool's

    // 0: there is none. Any thread.
    std::uint64_t epoch() const;

    // Nothing in the tables has changed since, as far as the stream has come. Any thread, without a
    // lock, some nanoseconds a table.
    bool holds(Tag const& tag, std::span<Table const* const> tables) const;

    // Nor has anything changed which tables and columns there are, which statements that change
    // rows do not.
    bool structure_holds(Tag const& tag) const;

    // Of the snapshot that is begun on this connection right after, and not before. Asks the
    // database if what is known is too old to hold. {}: what is read must not be kept, since there
    // is no epoch, or the connection leads to another server, or failed. A tag may be too old at
    // once all the same. Any thread.
    Tag tag_for(Connection& connection, std::span<Table const* const> tables,
                parser::Deadline const& deadline = {});

    struct State; // for the sources of this room

  private:
    friend class Inquiry;
    std::unique_ptr<State> state_;
};

} // namespace db
