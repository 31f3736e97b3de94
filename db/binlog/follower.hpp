#pragma once

#include "db/binlog/changes.hpp"
#include "db/binlog/event.hpp"
#include "db/binlog/row_event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace db {

// Reads the events of one epoch, in their order. An event that is not understood changes
// everything, or ends the epoch if even that cannot be said.
class Follower {
  public:
    // The stream begins at `position`. `own_uuid` is that of the server; empty: MariaDB.
    Follower(LastChanges& changes, ChangeLogUsage& usage, Position position,
             std::string_view own_uuid);

    // Why the epoch is to end, if it is.
    using Trouble = std::optional<Ending>;
    // Reads the next packet.
    Trouble take(std::string_view packet);
    // All events before this position are in the changes.
    Position position() const { return position_; }
    // No transaction has begun whose end was not read, as far as is known: another Follower may
    // begin at this position.
    bool is_between() const { return group_ == EventGroup::none; }
    // The number of statements that changed everything, and the first word of the last one.
    std::uint64_t statements() const { return statements_; }
    std::string const& last_statement() const { return last_statement_; }

  private:
    Trouble understand(LogEvent const& event);
    Trouble rotate(LogEvent const& event);
    Trouble begin_mysql(LogEvent const& event);
    Trouble begin_mariadb(LogEvent const& event);
    Trouble note_checkpoint(LogEvent const& event);
    Trouble end_transaction(LogEvent const& event);
    Trouble change_table(LogEvent const& event);
    Trouble change_rows(LogEvent const& event, bool is_readable);
    Trouble run_statement(LogEvent const& event);
    Trouble change_all(void (LastChanges::*change)(std::uint64_t) = &LastChanges::change_all);
    Trouble move_on(LogEvent const& event);
    std::optional<std::uint64_t> moment() const;
    bool is_mysql() const { return !own_uuid_.empty(); }
    void note_group(LogEvent const& event);
    void note_group(std::string_view sql);

    LastChanges& changes_;
    ChangeLogUsage& usage_;
    std::string const own_uuid_;
    Position position_;
    std::string file_;       // that the position is in
    Position event_end_ = 0; // of the current event
    // The tables that rows of the current transaction may be of, by their number in events, and how
    // their rows are stored; none: not known.
    std::unordered_map<std::uint64_t,
                       std::pair<LastChanges::Table const*, std::optional<RowFormat>>>
        mapped_;
    std::uint64_t transaction_ = 0; // MySQL: the number of the current one; 0: none
    // What of a transaction has been read: it is over after one statement, or has an end of its
    // own.
    enum class EventGroup : std::uint8_t { none, statement, transaction };
    EventGroup group_ = EventGroup::none;
    std::uint64_t statements_ = 0;
    std::string last_statement_;
};

} // namespace db
