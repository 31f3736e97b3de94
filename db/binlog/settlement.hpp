#pragma once

#include "db/binlog/position.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

namespace db {

// Judges what MariaDB says of how far transactions are visible (binlog_snapshot_file and
// _position). The server stores file and offset apart (10.11, 11.8): a new file sets both while
// transactions of the old one may still be about to become visible, and each of these then sets
// only the offset, to one of the old file. Such a pair claims what is not visible, and stays until
// the next one is set.
//
// The checkpoint event helps. One that names the file it is in says that no transaction of an older
// file is about to become visible. In the head of a file it means that none ever was. Later in a
// file it also sets the offset to its own end, whatever of this file is about to become visible; so
// what is beyond that end is true once a transaction behind it is logged, which happens later. And
// what is true is always where a transaction ends.
//
// The stream's thread writes it, and any thread asks it.
class Settlement {
  public:
    // Says that the binlog is followed from `position` on. `checkpoint` is the end of the event
    // that names the file, or the beginning of the file if that event is in its head; none if it
    // did not come yet, or is not known.
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
