#pragma once

#include "db/hosts/database_url.hpp"
#include "db/hosts/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

// Which server is asked. One alone always is. Of several each says, several times a second, how it
// is and what it has (HostReport). Those that take writes tell by it what there is; a host is
// confirmed as of the moment at which that was asked for, once it has all of it. So what it answers
// lacks nothing that was committed before, by our own clock alone. Servers with the same offset
// from what they apply, as `Seconds_Behind_Master` tells it, lack that: it was 0 for all of 11 s on
// a replica that was cut off from a primary which went on.

namespace db {

// One of the servers, as long as anybody has to do with it. Constant but for what Hosts keeps.
class Host {
  public:
    explicit Host(DatabaseUrl url) : url_(std::move(url)) {}

    DatabaseUrl const& url() const { return url_; }

  private:
    friend class Hosts;
    using Time = std::chrono::steady_clock::time_point;

    DatabaseUrl const url_;
    // With the mutex of Hosts:
    std::optional<Time> asked_; // what it reported last, from then on
    bool is_writable_ = false;
    Progress progress_;
    std::string trouble_;  // why it may not be asked
    Time suspected_{};     // since its last report, if that is older
    Time confirmed_{};     // it has all that was committed before
    std::string told_;     // of its state, by the last event
    bool is_gone_ = false; // `database` names it no more
};
using HostPointer = std::shared_ptr<Host>;

// What a server says of itself.
struct HostReport {
    std::chrono::steady_clock::time_point asked; // when it was asked for that
    bool is_writable;                            // what it has is what there is
    Progress progress;
};

// From now on the host may be asked; or no more, and why.
struct HostEvent {
    std::string host;
    std::string why;  // empty: it may
    std::size_t left; // hosts that may not, by now
};

// How things are, for people.
struct HostsView {
    struct One {
        std::string host;
        std::string trouble; // empty: none
    };
    std::vector<One> hosts;
    bool has_primary; // one that says what there is
};

// Any thread.
class Hosts {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    explicit Hosts(DatabaseHosts const& database);

    // The one to ask now. Waits for it `by` then, and not long where there has been none for a
    // while: `unreachable`.
    parser::Result<HostPointer> choose(Time by);

    // It may be asked, as far as is known.
    bool is_well(Host const& host) const;

    // It refused a connection, or lost one. Until it reports again it is not chosen. False: there
    // is no other.
    bool suspect(Host& host);

    // Called by whoever finds it out, and may not ask this. Set before any use.
    std::function<void(HostEvent const&)> tell = [](HostEvent const&) {};
    // The host is silent: what is under way there will not come back.
    std::function<void(Host const&)> lost = [](Host const&) {};
    // This one is stayed with from now on, as the rules say; null: none.
    std::function<void(HostPointer const&)> moved = [](HostPointer const&) {};

    // For who asks them how they are. While there is nobody, none is left out but those suspected.
    void begin_reports();
    void end_reports();
    void report(Host& host, HostReport report);
    void fail(Host& host, std::string why, bool is_silent);
    // Waits until the host is to be asked again: until then, or until it is suspected since it was
    // `asked`. False: never again.
    bool wait(Host const& host, Time asked, Time until);
    bool is_gone(Host const& host) const;
    std::vector<HostPointer> all() const;
    HostRules rules() const;
    bool is_alone() const;
    // How often each one is asked: so that one which has all is confirmed in time.
    std::chrono::milliseconds interval() const;

    // Those that both have stay as they are.
    void replace(DatabaseHosts const& database);

    HostsView view() const;

  private:
    HostPointer pick(Time now);
    bool may_be_asked(Host const& host, Time now) const;
    bool is_confirmed(Host const& host, Time now) const;
    std::string state_of(Host const& host, Time now) const;
    bool are_all_known() const;
    void refer(Time now);
    void confirm();
    void settle(Time now);

    mutable std::mutex mutex_;
    // With the mutex:
    std::condition_variable changed_;
    HostRules rules_;
    std::vector<HostPointer> hosts_;
    bool are_reported_ = false;
    // What there was at least at a moment, ascending.
    struct Reference {
        Time asked;
        Progress progress;
    };
    std::deque<Reference> references_;
    HostPointer current_; // that is stayed with
    std::size_t turn_;    // of random ones
    std::optional<Time> none_since_;
};

} // namespace db
