#include "fcgi/check/check.hpp"

#include <string>
#include <string_view>

namespace fcgi {

namespace {

struct Host {
    std::string address;
    bool takes_writes;
    bool is_node; // of a Galera cluster, where all take writes
};

parser::Result<Host> ask(db::DatabaseUrl const& url) {
    auto const connection = db::Connection::open(url, {});
    if (!connection) return connection.error();
    auto rows = (*connection)
                    ->query(db::SqlPiece(
                        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')"));
    if (!rows) return rows.error();
    Host host{url.address(), true, false};
    while (rows->next()) {
        bool const is_on = rows->text(1) != "OFF";
        if (rows->text(0) == "wsrep_on")
            host.is_node = is_on;
        else
            host.takes_writes = !is_on;
    }
    return host;
}

} // namespace

std::vector<Finding> check_hosts(Options const& options) {
    std::vector<Finding> findings;
    auto const& database = options.database_hosts;
    if (!database.are_several()) return findings;
    std::string primaries;
    int writable = 0;
    bool are_nodes = false;
    for (auto const& url : database.urls) {
        auto const host = ask(url);
        if (!host) {
            findings.push_back(
                {true, "database host " + url.address() + ": " + host.error().cause, {}});
            continue;
        }
        are_nodes = are_nodes || host->is_node;
        if (!host->takes_writes) continue;
        primaries.append(writable++ > 0 ? ", " : "").append(host->address);
    }
    if (writable > 1 && !are_nodes)
        findings.push_back({false, "several hosts take writes: " + primaries,
                            "read_only = ON in my.cnf of replicas, by which they are told from a "
                            "primary"});
    if (writable == 0)
        findings.push_back({true, "no host takes writes: nobody tells how far behind they are",
                            "name the primary in `database` too, or set primary-lost = serve"});
    if (options.galera_sync && !are_nodes)
        findings.push_back(
            {false, "galera-sync is on, and no host is a node of a Galera cluster", "turn it off"});
    return findings;
}

} // namespace fcgi
