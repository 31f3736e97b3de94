#include "db/mysql/hosts.hpp"
#include "db/mysql/prober.hpp"
#include "db/mysql/wire.hpp"
#include "fcgi/check/check.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

namespace fcgi {

namespace {

using Clock = std::chrono::steady_clock;

struct Role {
    bool takes_writes = true;
    bool is_node = false; // a node of a Galera cluster, where all take writes
};

parser::Result<Role> ask_role(db::DatabaseUrl const& url) {
    auto const connection = db::Connection::open(url, {});
    if (!connection) return connection.error();
    auto rows = (*connection)
                    ->query(db::SqlPiece(
                        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')"));
    if (!rows) return rows.error();
    Role role;
    while (rows->next()) {
        bool const is_on = rows->text(1) != "OFF";
        if (rows->text(0) == "wsrep_on")
            role.is_node = is_on;
        else
            role.takes_writes = !is_on;
    }
    return role;
}

// Returns how a server would find the hosts, in the order of `database`, after as long as it may
// take until each of them is known to have all that was committed.
std::vector<db::HostsView::One> judge(db::DatabaseHosts const& database) {
    db::Hosts hosts(database);
    db::Prober prober(hosts);
    prober.start();
    auto const until = Clock::now() + database.rules.connect_timeout + database.rules.max_lag;
    for (;;) {
        auto const found = hosts.view().hosts;
        bool const are_well =
            std::ranges::all_of(found, [](auto const& host) { return host.trouble.empty(); });
        if (are_well || Clock::now() >= until) return found;
        std::this_thread::sleep_for(hosts.interval());
    }
}

// The columns of a replica's status, and their values if all is well. The names are MariaDB's and
// MySQL's.
struct {
    std::string_view column;
    std::string_view sound;
} constexpr status_of_replication[] = {
    {"Slave_IO_Running", "Yes"},  {"Replica_IO_Running", "Yes"},  {"Last_IO_Error", ""},
    {"Slave_SQL_Running", "Yes"}, {"Replica_SQL_Running", "Yes"}, {"Last_SQL_Error", ""},
    {"SQL_Delay", "0"},           {"Seconds_Behind_Master", "0"}, {"Seconds_Behind_Source", "0"},
};

// Returns why a host lacks what the primary has; empty if the account may not ask for that.
std::string explain(db::DatabaseUrl const& url) {
    constexpr std::chrono::seconds patience{5};
    auto const by = Clock::now() + patience;
    db::Interrupter interrupter;
    db::Wire wire(interrupter);
    if (!wire.open(url, by, patience)) return {};
    auto rows = wire.query("SHOW REPLICA STATUS", by);
    if (!rows) return {};
    if (!rows->next()) return "according to SHOW REPLICA STATUS, it follows no server";
    std::string said;
    do {
        for (auto const& [column, sound] : status_of_replication)
            if (auto const value = rows->text(column); !value.empty() && value != sound)
                said.append(said.empty() ? "" : ", ").append(column).append(": ").append(value);
    } while (rows->next());
    return "according to SHOW REPLICA STATUS, " + (said.empty() ? "nothing is wrong" : said);
}

// Returns the finding about a host that is not read from though it answers.
Finding left_out(db::DatabaseUrl const& url, std::string const& trouble, bool is_replica) {
    auto const what = "database host " + url.address() + ' ' + trouble;
    if (!is_replica) return {Finding::note, what, {}};
    auto const explanation = explain(url);
    if (!explanation.empty()) return {Finding::note, what + ": " + explanation, {}};
    return {Finding::note, what,
            "run SHOW REPLICA STATUS there to see why; this check shows it, too, if the account "
            "has SLAVE MONITOR (MySQL: REPLICATION CLIENT)"};
}

} // namespace

std::vector<Finding> check_hosts(Options const& options) {
    auto const database = db::resolved(options.database_hosts);
    if (!database.are_several()) return {};
    std::vector<Finding> findings;
    std::vector<Finding> not_asked;
    std::vector<std::string> primaries;
    bool are_nodes = false;
    auto const judged = judge(database);
    for (std::size_t i = 0; i < judged.size(); ++i) {
        auto const& url = database.urls[i];
        auto const role = ask_role(url);
        if (!role) {
            findings.push_back({Finding::problem,
                                "database host " + url.address() + ": " + role.error().cause,
                                {}});
            continue;
        }
        are_nodes = are_nodes || role->is_node;
        if (role->takes_writes) primaries.push_back(url.address());
        if (auto const& trouble = judged[i].trouble; !trouble.empty())
            not_asked.push_back(left_out(url, trouble, !role->takes_writes));
    }
    if (primaries.size() > 1 && !are_nodes)
        findings.push_back(
            {Finding::note, "several hosts take writes: " + boost::join(primaries, ", "),
             "set read_only = ON in my.cnf of replicas, which distinguishes them from a primary"});
    if (primaries.empty())
        findings.push_back({Finding::problem,
                            "no host takes writes, so nothing shows how far behind the hosts are",
                            "name the primary in `database` too, or set primary-lost = serve"});
    else
        std::ranges::move(not_asked, std::back_inserter(findings));
    if (options.galera_sync && !are_nodes)
        findings.push_back({Finding::note,
                            "galera-sync is on, but no host is a node of a Galera cluster",
                            "turn it off"});
    return findings;
}

} // namespace fcgi
