#pragma once

#include "db/binlog/change_log_state.hpp"
#include "db/binlog/follower.hpp"
#include "db/binlog/opening.hpp"
#include "db/binlog/server_facts.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace db {

// The thread of a ChangeLog, which runs one epoch after another.
class Stream {
  public:
    explicit Stream(ChangeLog::State& log) : log_(log) {}
    void run();

  private:
    using Clock = Wire::Clock;

    void run_epoch();
    std::unique_ptr<Wire> open_question(Opening& opening);
    std::uint64_t begin(Opening const& opening, std::unique_ptr<Wire> question,
                        std::unique_ptr<Wire> end);
    Ending follow(Opening& opening);
    void renew_end(Opening& opening);
    Follower::Trouble look_around(Follower const& follower, ServerFacts const& facts);
    void tell_statements(Follower const& follower, ServerFacts const& facts, Clock::time_point now);
    void refuse(Opening& opening);
    void pause();
    bool is_stopped() const;

    ChangeLog::State& log_;
    DatabaseUrl url_; // of the epoch, or the attempt at one
    std::uint64_t epochs_ = 0;
    std::vector<Obstacle> refused_; // the last ones that were reported
    std::chrono::milliseconds pause_{0};
    bool told_elsewhere_ = false;
    Clock::time_point end_renewed_{};
    Clock::time_point statements_since_{};
    std::uint64_t statements_before_ = 0;
    Clock::time_point statements_quiet_until_{};
};

} // namespace db
