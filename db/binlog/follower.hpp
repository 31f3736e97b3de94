#pragma once

#include "db/binlog/changes.hpp"
#include "db/binlog/event.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace db {

// Reads the events of one epoch, in their order. Whatever is not understood changes everything, or
// ends the epoch where even that cannot be said.
class Follower {
  public:
    struct Start {
        Position position;    // where the stream begins
        std::string own_uuid; // of MySQL; empty: MariaDB
    };
    Follower(Changes& changes, ChangeLogUsage& usage, Start start);

    // The next packet. Why the epoch is to end, if it is.
    std::optional<std::string> take(std::string_view packet);
    // All before is in the changes.
    Position position() const { return position_; }
    // That changed everything, and the first word of the last one.
    std::uint64_t statements() const { return statements_; }
    std::string const& last_statement() const { return last_statement_; }

  private:
    using Trouble = std::optional<std::string>;
    Trouble understand(LogEvent const& event);
    Trouble rotate(LogEvent const& event);
    Trouble begin_mysql(LogEvent const& event);
    Trouble begin_mariadb(LogEvent const& event);
    Trouble note_checkpoint(LogEvent const& event);
    Trouble change_table(LogEvent const& event);
    Trouble run_statement(LogEvent const& event);
    Trouble change_all(void (Changes::*change)(std::uint64_t) = &Changes::change_all);
    Trouble move_on(LogEvent const& event);
    std::optional<std::uint64_t> moment() const;
    bool is_mysql() const { return !start_.own_uuid.empty(); }

    Changes& changes_;
    ChangeLogUsage& usage_;
    Start const start_;
    Position position_;
    Position event_end_ = 0;        // of the event in hand
    std::uint64_t transaction_ = 0; // MySQL: the number of the one in hand; 0: none
    std::uint64_t statements_ = 0;
    std::string last_statement_;
};

} // namespace db
