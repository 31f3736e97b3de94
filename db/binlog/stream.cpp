#include "db/binlog/change_log_state.hpp"
#include "db/binlog/follower.hpp"
#include "db/binlog/opening.hpp"
#include "db/mysql/sql_text.hpp"
#include "parser/base/signals.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace db {

namespace {

// The thread of a ChangeLog, which runs one epoch after another.
class Stream {
  public:
    explicit Stream(ChangeLog::State& log) : log_(log) {}
    void run();

  private:
    using Clock = Wire::Clock;

    void run_epoch();
    std::unique_ptr<Wire> open_wire(Opening& opening);
    std::uint64_t begin(Opening const& opening, std::unique_ptr<Wire> inquiry_wire,
                        std::unique_ptr<Wire> end);
    Ending follow(Opening& opening);
    void renew_end(Opening& opening);
    Follower::Trouble look_around(Follower const& follower, ServerFacts const& facts);
    void report_statements(Follower const& follower, ServerFacts const& facts,
                           Clock::time_point now);
    void refuse(Opening& opening);
    void pause();
    bool is_stopped() const;

    ChangeLog::State& log_;
    DatabaseUrl url_; // of the epoch, or the attempt at one
    std::uint64_t epochs_ = 0;
    std::vector<Obstacle> refused_; // the last ones that were reported
    std::chrono::milliseconds pause_{0};
    bool reported_elsewhere_ = false;
    Clock::time_point end_renewed_{};
    Clock::time_point statements_since_{};
    std::uint64_t statements_before_ = 0;
    Clock::time_point statements_quiet_until_{};
};

using namespace std::chrono_literals;

constexpr auto shortest_pause = 100ms;
constexpr std::chrono::milliseconds longest_pause = 5s;
// After an epoch, or an attempt at one, that lasted longer than this, the next one begins soon.
constexpr auto long_enough = 1s;

constexpr auto fix_of_many_servers =
    "let `database` lead to one server, not to a different one of several each time";

// Returns the fix for an end of the stream. All ends have the same error code, so that the server's
// words have to tell them apart.
std::string_view fix_of_end(std::string_view error) {
    if (error.find("same server_") == error.npos) return {};
    return "another replica of this server has the same server id, so each ends the connection "
           "of the other: set cache-server-id to a number that no other replica has, or remove it";
}

void Stream::run() {
    parser::block_all_signals();
    for (;;) {
        {
            std::unique_lock lock(log_.mutex);
            log_.woken.wait(lock, [this] { return log_.is_stopped || log_.url; });
            if (log_.is_stopped) return;
            log_.interrupter.rearm();
            url_ = *log_.url;
        }
        auto const began = Clock::now();
        try {
            run_epoch();
        } catch (std::exception const& exception) { // no memory
            log_.end_epoch(log_.changes.epoch(), exception.what());
        }
        bool const lived = Clock::now() - began > long_enough;
        pause_ =
            lived ? shortest_pause : std::clamp(2 * pause_, 0ms + shortest_pause, longest_pause);
        pause();
    }
}

void Stream::pause() {
    std::unique_lock lock(log_.mutex);
    log_.woken.wait_for(lock, pause_, [this] { return log_.is_stopped; });
}

bool Stream::is_stopped() const {
    std::lock_guard const lock(log_.mutex);
    return log_.is_stopped;
}

void Stream::run_epoch() {
    Opening opening(log_.interrupter);
    bool const opened = open_log(opening, url_, log_.settings);
    auto inquiry_wire = opened ? open_wire(opening) : nullptr;
    auto end = inquiry_wire ? open_wire(opening) : nullptr;
    if (!end) return refuse(opening);
    refused_.clear();
    auto const epoch = begin(opening, std::move(inquiry_wire), std::move(end));
    auto ending = follow(opening);
    log_.end_epoch(epoch, std::move(ending));
    if (is_stopped()) return;
    {
        std::lock_guard const lock(log_.mutex);
        ending = log_.ending;
    }
    log_.observe(EpochEnded{epoch, ending.why, std::string(ending.fix)});
}

// Returns null if the connection failed, or leads to another server.
std::unique_ptr<Wire> Stream::open_wire(Opening& opening) {
    constexpr auto patience = 2s;
    auto const by = Clock::now() + patience;
    auto wire = std::make_unique<Wire>(log_.interrupter);
    std::optional<WireRows> rows;
    // The connection may be idle for hours.
    bool const syncs = opening.facts.is_galera() && log_.settings.galera_sync;
    if (wire->open(url_, by, patience) && wire->query("SET SESSION wait_timeout = 31536000", by) &&
        (!syncs || wire->query("SET SESSION wsrep_sync_wait = 1", by)))
        rows = wire->query(SqlText(server_statement).str(), by);
    if (!rows) {
        opening.trouble = "another connection failed: " + wire->error();
        return nullptr;
    }
    if (server_of(*rows) != opening.server) {
        opening.obstacles.push_back(
            {"two connections lead to different servers", fix_of_many_servers});
        return nullptr;
    }
    return wire;
}

std::uint64_t Stream::begin(Opening const& opening, std::unique_ptr<Wire> inquiry_wire,
                            std::unique_ptr<Wire> end) {
    inquiry_wire->leave_interrupter(); // nobody waits for it

    auto epoch = std::make_shared<Epoch>();
    epoch->number = ++epochs_;
    epoch->server = opening.server;
    epoch->uuid = opening.facts.uuid();
    epoch->end_statement = end_statement(opening.facts, log_.settings.galera_sync);
    {
        std::lock_guard const lock(log_.end_mutex);
        log_.end = std::move(end);
    }
    {
        std::lock_guard const lock(log_.mutex);
        log_.epoch = epoch;
        log_.inquiry_wire = std::move(inquiry_wire);
        log_.ending = {};
        log_.inquiry_since = 0;
        log_.is_elsewhere = false;
        log_.changes.settlement().begin(opening.position, opening.checkpoint);
        log_.changes.begin(epoch->number, opening.floor, opening.position, opening.landmark);
    }
    ++log_.usage->epochs;
    reported_elsewhere_ = false;
    statements_since_ = Clock::now();
    statements_before_ = 0;
    log_.ring();
    log_.observe(EpochBegan{epoch->number, opening.facts.name()});
    return epoch->number;
}

// Follows the binlog until the epoch has to end, and returns why it has to.
Ending Stream::follow(Opening& opening) {
    Follower follower(log_.changes, *log_.usage, opening.position, opening.facts.uuid());
    for (auto packet = opening.packet; packet; packet = opening.wire.next_event()) {
        auto const before = follower.position();
        if (auto trouble = follower.take(*packet)) return *trouble;
        if (follower.position() != before && log_.changes.reach(follower.position())) log_.ring();
        if (auto trouble = look_around(follower, opening.facts)) return *trouble;
        renew_end(opening);
    }
    auto const error = opening.wire.error();
    return {"the stream of the binary log ended: " + error, fix_of_end(error)};
}

// Opens the connection for ask_end() again after it failed, which one late reply is enough for.
void Stream::renew_end(Opening& opening) {
    constexpr auto pause = 1s;
    auto const now = Clock::now();
    if (now - end_renewed_ < pause) return;
    end_renewed_ = now;
    {
        std::lock_guard const lock(log_.end_mutex);
        if (log_.end) return;
    }
    auto end = open_wire(opening);
    std::lock_guard const lock(log_.end_mutex);
    log_.end = std::move(end);
}

// Checks what else may go wrong, at least at each heartbeat. Returns why the epoch has to end, if
// it has to.
Follower::Trouble Stream::look_around(Follower const& follower, ServerFacts const& facts) {
    auto const now = Clock::now();
    auto const since = Clock::time_point(Clock::duration(log_.inquiry_since.load()));
    if (since != Clock::time_point() && now - since > 4 * log_.settings.heartbeat)
        return "the server does not report where its binary log ends";
    if (log_.is_elsewhere.load() && !std::exchange(reported_elsewhere_, true))
        log_.observe(ServersDiffer{fix_of_many_servers});
    report_statements(follower, facts, now);
    return std::nullopt;
}

void Stream::report_statements(Follower const& follower, ServerFacts const& facts,
                               Clock::time_point now) {
    constexpr auto window = 10s;
    constexpr std::uint64_t many = 10; // within the window
    constexpr auto quiet = 10min;
    auto const count = follower.statements() - statements_before_;
    if (now - statements_since_ > window) {
        statements_since_ = now;
        statements_before_ = follower.statements();
    } else if (count > many && now > statements_quiet_until_) {
        statements_quiet_until_ = now + quiet;
        log_.observe(StatementsInvalidateAll{follower.last_statement(), fix_of_statements(facts)});
    }
}

// Reports what may pass by itself only if it lasts.
void Stream::refuse(Opening& opening) {
    auto& obstacles = opening.obstacles;
    if (obstacles.empty() && pause_ == longest_pause)
        obstacles.push_back({"the binary log cannot be followed",
                             "start the database server, or look into its error log",
                             opening.trouble});
    if (obstacles.empty() || obstacles == refused_ || is_stopped()) return;
    refused_ = std::move(obstacles);
    log_.observe(LogRefused{refused_});
}

} // namespace

void ChangeLog::State::run_stream() {
    Stream(*this).run();
}

} // namespace db
