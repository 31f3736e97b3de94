#pragma once

#include "db/binlog/position.hpp"

#include <deque>
#include <mutex>
#include <optional>

namespace db {

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

} // namespace db
