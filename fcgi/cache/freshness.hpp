#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/pool.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

// How old what was read of the database for one request may be where another uses it.

namespace fcgi {

// What something is read from. Null: nobody tells in time of all its changes.
using Tables = std::shared_ptr<std::vector<db::ChangeLog::Table const*> const>;

// When something was read.
struct ReadMark {
    db::Tag tag; // of its snapshot; of epoch 0: nobody will tell when it changes
    std::chrono::steady_clock::time_point at{};
};

// What something was read from, and when.
struct Origin {
    Tables tables;
    ReadMark mark;
};

// A value that was read from the database, and is used until that has changed.
template<class T>
struct Cached {
    T value{};
    Origin origin;
};

// For one request: with a change log, and where this request is known to have come after all that
// the log tells of, nothing that has changed is used again, and what has not is good for ever.
// Without, it may be `ttl` old.
class Freshness {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // `epoch` is Request::epoch. `log` may be null.
    Freshness(db::ChangeLog* log, std::uint64_t epoch, std::chrono::milliseconds ttl,
              Time now = std::chrono::steady_clock::now())
        : log_(epoch == 0 ? nullptr : log), epoch_(epoch), ttl_(ttl), now_(now) {}
    // Nothing is used again.
    Freshness() : Freshness(nullptr, 0, std::chrono::milliseconds(0)) {}

    bool knows_changes() const { return log_ != nullptr; }
    Time now() const { return now_; }

    // Whether what was read there and then may be used.
    bool holds(Origin const& origin) const { return holds(origin, ttl_); }
    // The same, where it may be so old without a log.
    bool holds(Origin const& origin, std::chrono::milliseconds ttl) const {
        auto const& [tables, mark] = origin;
        if (!log_) return now_ - mark.at < ttl;
        return tables && mark.tag.epoch == epoch_ && log_->holds(mark.tag, *tables);
    }
    // Whether the database still has the tables and columns that it had then.
    bool structure_holds(Origin const& origin) const {
        auto const& tag = origin.mark.tag;
        return tag.epoch == epoch_ && log_ && log_->structure_holds(tag);
    }

    // Begins to read those tables.
    parser::Result<ReadMark> begin(db::Pool::Lease& lease, db::Extent extent, Tables const& tables,
                                   parser::Deadline const& deadline) const;

  private:
    db::ChangeLog* log_;
    std::uint64_t epoch_;
    std::chrono::milliseconds ttl_;
    Time now_;
};

} // namespace fcgi
