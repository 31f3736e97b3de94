#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/pool.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

// Decides whether what was read from the database for one request may be used for another
// (db/binlog/README.md).

namespace fcgi {

// The tables that something is read from. Null: not all their changes are reported in time.
using Tables = std::shared_ptr<std::vector<db::ChangeLog::Table const*> const>;

// The moment when something was read.
struct ReadMoment {
    db::Tag tag; // of its snapshot; epoch 0: its changes are not reported
    std::chrono::steady_clock::time_point at{};
};

// The tables, and the rows of other tables, that something was read from, and when.
struct ReadOrigin {
    Tables tables;
    ReadMoment moment;
    std::vector<db::ChangeLog::Slot> slots = {};
    mutable db::ChangeLog::Looked looked = {}; // at tables and slots
};

// A value that was read from the database, and is used until that has changed.
template<class T>
struct Cached {
    T value{};
    ReadOrigin origin;
};

// Decides for one request. With a change log that is known to have reported everything before this
// request, nothing that has changed is used again, and what has not is valid for ever. Without one,
// what is used may be `ttl` old.
class Freshness {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // `epoch` is Request::epoch. `log` may be null.
    Freshness(db::ChangeLog* log, std::uint64_t epoch, std::chrono::milliseconds ttl,
              Time now = std::chrono::steady_clock::now())
        : log_(epoch == 0 ? nullptr : log), epoch_(epoch), ttl_(ttl), now_(now) {}
    // With this one nothing is used again.
    Freshness() : Freshness(nullptr, 0, std::chrono::milliseconds(0)) {}

    bool knows_changes() const { return log_ != nullptr; }
    Time now() const { return now_; }

    // Returns whether what was read there and then may be used.
    bool holds(ReadOrigin const& origin) const { return holds(origin, ttl_); }
    // Does the same, with another `ttl` for when there is no log.
    bool holds(ReadOrigin const& origin, std::chrono::milliseconds ttl) const {
        auto const& moment = origin.moment;
        if (!log_) return now_ - moment.at < ttl;
        return origin.tables && moment.tag.epoch == epoch_ &&
               log_->holds(moment.tag, *origin.tables, origin.slots, &origin.looked);
    }
    // Returns whether the database still has the tables and columns that it had then.
    bool structure_holds(ReadOrigin const& origin) const {
        auto const& tag = origin.moment.tag;
        return tag.epoch == epoch_ && log_ && log_->structure_holds(tag);
    }

    // Returns whether it has not changed until now, long after the request arrived.
    bool holds_until_now(ReadOrigin const& origin) const {
        return holds(origin) && log_ &&
               log_->holds_until_now(origin.moment.tag, *origin.tables, origin.slots);
    }

    // Begins to read `tables`.
    parser::Result<ReadMoment> begin(db::Pool::Lease& lease, db::Extent extent,
                                     Tables const& tables, parser::Deadline const& deadline) const {
        for (;;) {
            if (auto done = lease.connect(); !done) return done.error();
            ReadMoment moment{{}, now_};
            if (log_ && tables) moment.tag = log_->tag_for(*lease, *tables, deadline);
            if (moment.tag.epoch != epoch_) moment.tag = {};
            auto const begun = lease.try_begin(extent);
            if (!begun) return begun.error();
            if (*begun) return moment;
        }
    }

  private:
    db::ChangeLog* log_;
    std::uint64_t epoch_;
    std::chrono::milliseconds ttl_;
    Time now_;
};

} // namespace fcgi
