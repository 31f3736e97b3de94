#pragma once

#include "db/mysql/database_url.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Decides which host is used. A single one always is. If there are several, each reports its state
// and its transactions several times a second (HostReport). The reports of hosts that take writes
// show which transactions exist. A host that has all of these is confirmed as of the moment at
// which those reports were requested: it lacks nothing that was committed before, and only our own
// clock matters. `Seconds_Behind_Master` does not guarantee that: it was 0 for 11 s on a replica
// that was cut off from a primary which went on.

namespace db {

// The transactions that a server has, by which servers of the same data can be compared: offsets in
// binlogs differ from server to server, and these do not.
class TransactionSet {
  public:
    TransactionSet(); // no transactions

    // Reads `@@gtid_binlog_pos` or `@@gtid_slave_pos` of MariaDB, or both with a comma between:
    // `0-1-100,1-7-12`. A domain's numbers only grow, so the last one stands for all before.
    static std::optional<TransactionSet> of_mariadb(std::string_view positions);
    // Reads `@@gtid_executed` of MySQL: `3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7,…`, also with
    // tags (since 8.3), `…:1-5:backup:1-3`.
    static std::optional<TransactionSet> of_mysql(std::string_view executed);
    // Returns what a Galera node has: `cluster` is its `wsrep_cluster_state_uuid`, and
    // `last_committed` its `wsrep_last_committed`.
    static TransactionSet of_galera(std::string_view cluster, std::uint64_t last_committed);

    bool includes(TransactionSet const& other) const;
    void add(TransactionSet const& other);

    bool operator==(TransactionSet const& other) const;

  private:
    struct Numbers;
    explicit TransactionSet(Numbers numbers);

    std::shared_ptr<Numbers const> numbers_; // never null
};

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
    std::optional<Time> asked_; // when its last report was requested; none after fail()
    bool is_writable_ = false;
    TransactionSet transactions_;
    std::string trouble_;  // why it may not be used
    Time suspected_{};     // when it was suspected; a report requested later clears this
    Time confirmed_{};     // it has everything that was committed before this
    std::string reported_; // its state in the last event
    bool is_gone_ = false; // `database` no longer names it
};
using HostPointer = std::shared_ptr<Host>;

// What a host reports about itself.
struct HostReport {
    std::chrono::steady_clock::time_point asked; // when it was requested
    bool is_writable; // it takes writes, so nothing is newer than what it has
    TransactionSet transactions;
};

// From now on the host may be used, or may not, and why.
struct HostEvent {
    std::string host;
    std::string why;  // empty: it may
    std::size_t left; // number of hosts that may not be used now
};

// The state of the hosts, for people.
struct HostsView {
    struct One {
        std::string host;
        std::string trouble; // empty: none
    };
    std::vector<One> hosts;
    bool has_primary; // one takes writes and may be used, or is the only one
};

// Any thread may call this.
class Hosts {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    explicit Hosts(DatabaseHosts const& database);

    // Returns the host to use now. Waits for one until `by`, but not long if there has been none
    // for a while; then it fails with `unreachable`.
    parser::Result<HostPointer> choose(Time by);

    // Returns whether the host may be used, as far as is known.
    bool is_well(Host const& host) const;

    // Notes that the host refused a connection, or lost one: it is not chosen until it reports
    // again. Returns false if there is no other host.
    bool suspect(Host& host);

    // Called by the thread that notices such an event. It must not call this object. Set it before
    // anything else is called.
    std::function<void(HostEvent const&)> report_host = [](HostEvent const&) {};
    // Called when the host is silent: nothing in flight there will come back.
    std::function<void(Host const&)> lost = [](Host const&) {};
    // Called when all requests go to another host from now on (HostRules::stays); null if there is
    // none.
    std::function<void(HostPointer const&)> moved = [](HostPointer const&) {};

    // The Prober, which requests the reports, calls the following. Without a Prober, only suspected
    // hosts are left out.
    void begin_reports();
    void end_reports();
    void report(Host& host, HostReport report);
    void fail(Host& host, std::string why, bool is_silent);
    // Waits until the next report has to be requested: until `until`, or until the host is
    // suspected after `asked`. Returns false if no more reports are needed.
    bool wait(Host const& host, Time asked, Time until);
    bool is_gone(Host const& host) const;
    std::vector<HostPointer> all() const;
    HostRules rules() const;
    bool is_alone() const;
    // How often reports are requested: often enough that a host that has all is confirmed in time.
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
    void mark(Time now);
    void confirm();
    void settle(Time now);

    mutable std::mutex mutex_;
    // The mutex guards these:
    std::condition_variable changed_;
    HostRules rules_;
    std::vector<HostPointer> hosts_;
    bool are_reported_ = false;
    // Transactions that existed at a moment, at least; in ascending order.
    struct Watermark {
        Time asked;
        TransactionSet transactions;
    };
    std::deque<Watermark> watermarks_;
    HostPointer current_; // the one that all requests go to, with HostRules::stays
    std::size_t turn_;    // counts random choices
    std::optional<Time> none_since_;
};

} // namespace db
