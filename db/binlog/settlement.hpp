#pragma once

#include "db/binlog/position.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

namespace db {

// Judges what MariaDB says of how far transactions are visible (binlog_snapshot_file and
// _position). It keeps file and offset apart (10.11, 11.8): a new file sets both while transactions
// of the old one may still be on their way to become visible, and each of these then sets the
// offset alone, to one of the old file. Such a pair claims what is not visible, and stays until the
// next one is set.
//
// What helps is the checkpoint event. One that names the file it is in says that of older files
// nothing is on its way. In the head of a file it means that nothing ever was. Later it sets the
// offset, too, to its own end, whatever of this file is on its way; so what is beyond is true, once
// a transaction behind it is logged, which is later than that. And what is true is always where a
// transaction ends.
//
// Written by the stream's thread, asked by any.
class Settlement {
  public:
    // The log is followed from there. `checkpoint`: the end of the one that names the file, or the
    // beginning of the file if that is in its head; none: it did not come yet, or is not known.
    void begin(Position position, std::optional<Position> checkpoint);
    void enter_file();
    void checkpoint(Position end); // that names the file it is in
    void begin_transaction();
    void end_transaction(Position end);

    // None: nothing that is said now is true. To be taken before the server is asked.
    std::optional<Position> true_beyond() const;
    // Of what was said after `beyond` was taken.
    bool is_true(Position said, std::optional<Position> beyond) const;

  private:
    void note(Position end);

    mutable std::mutex mutex_;
    bool is_in_head_ = false; // of the file: no transaction was before
    std::optional<Position> checkpoint_;
    std::optional<Position> true_beyond_;
    std::deque<Position> ends_; // the last of them, ascending
};

} // namespace db
