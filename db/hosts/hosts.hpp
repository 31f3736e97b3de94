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

// Decides which host is asked. A single one always is. If there are several, each reports several
// times a second what state it is in and what it has (HostReport). The reports of those that take
// writes say what there is; a host that has all of it is confirmed as of the moment at which they
// were asked for it. So what such a host returns lacks nothing that was committed before, by our
// own clock alone. `Seconds_Behind_Master` does not give that: it was 0 for all of 11 s on a
// replica that was cut off from a primary which went on.

namespace db {

// One of the servers; it exists for as long as anything refers to it. Only Hosts changes it.
class Host {
  public:
    explicit Host(DatabaseUrl url) : url_(std::move(url)) {}

    DatabaseUrl const& url() const { return url_; }

  private:
    friend class Hosts;
    using Time = std::chrono::steady_clock::time_point;

    DatabaseUrl const url_;
    // The mutex of Hosts guards these:
    std::optional<Time> asked_; // when it was asked for its last report; none after fail()
    bool is_writable_ = false;
    Progress progress_;
    std::string trouble_;  // why it may not be asked
    Time suspected_{};     // when it was suspected; a report that was asked for later clears it
    Time confirmed_{};     // it has all that was committed before this
    std::string told_;     // its state in the last event
    bool is_gone_ = false; // `database` names it no more
};
using HostPointer = std::shared_ptr<Host>;

// What a host reports of itself.
struct HostReport {
    std::chrono::steady_clock::time_point asked; // when it was asked for this
    bool is_writable;                            // it takes writes, so what it has is what there is
    Progress progress;
};

// Reports that the host may be asked from now on, or no more, and why.
struct HostEvent {
    std::string host;
    std::string why;  // empty: it may
    std::size_t left; // the number of hosts that may not, by now
};

// The state of the hosts, for people.
struct HostsView {
    struct One {
        std::string host;
        std::string trouble; // empty: none
    };
    std::vector<One> hosts;
    bool has_primary; // one takes writes and may be asked, or is the only one
};

// Any thread may call this.
class Hosts {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    explicit Hosts(DatabaseHosts const& database);

    // Returns the host to ask now. Waits for one until `by`, but not long if there has been none
    // for a while; then it fails with `unreachable`.
    parser::Result<HostPointer> choose(Time by);

    // Returns whether the host may be asked, as far as is known.
    bool is_well(Host const& host) const;

    // Notes that the host refused a connection, or lost one: it is not chosen until it reports
    // again. Returns false if there is no other host.
    bool suspect(Host& host);

    // Called by the thread that finds out such an event. It must not call this object. Set it
    // before any use.
    std::function<void(HostEvent const&)> tell = [](HostEvent const&) {};
    // Called when the host is silent: what is in flight there will not come back.
    std::function<void(Host const&)> lost = [](Host const&) {};
    // Called when all requests go to another host from now on (HostRules::stays); null if there is
    // none.
    std::function<void(HostPointer const&)> moved = [](HostPointer const&) {};

    // The Prober, which asks hosts for their state, calls the following. Without it no host is left
    // out but those that are suspected.
    void begin_reports();
    void end_reports();
    void report(Host& host, HostReport report);
    void fail(Host& host, std::string why, bool is_silent);
    // Waits until the host is to be asked again: until `until`, or until it is suspected after it
    // was `asked`. Returns false if it is never to be asked again.
    bool wait(Host const& host, Time asked, Time until);
    bool is_gone(Host const& host) const;
    std::vector<HostPointer> all() const;
    HostRules rules() const;
    bool is_alone() const;
    // How often each host is asked: often enough that one which has all is confirmed in time.
    std::chrono::milliseconds interval() const;

    // Hosts that are in the old and the new list stay as they are.
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
    // The mutex guards these:
    std::condition_variable changed_;
    HostRules rules_;
    std::vector<HostPointer> hosts_;
    bool are_reported_ = false;
    // What there was at least at a moment; in ascending order.
    struct Reference {
        Time asked;
        Progress progress;
    };
    std::deque<Reference> references_;
    HostPointer current_; // the one that all requests go to, with HostRules::stays
    std::size_t turn_;    // counts random choices
    std::optional<Time> none_since_;
};

} // namespace db
