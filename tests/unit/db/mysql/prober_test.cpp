#include "db/mysql/prober.hpp"

#include "scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <tuple>

BOOST_AUTO_TEST_SUITE(prober)

namespace {

using namespace std::chrono_literals;
using packets::table;
using Script = std::vector<ScriptedServer::Line>;

// Returns the state of the server as a host, beside another host that is not there.
std::string state_of(ScriptedServer const& server, std::string const& expected) {
    db::DatabaseHosts both(server.url());
    both.urls.push_back(Listener().url());
    db::Hosts hosts(both);
    db::Prober prober(hosts);
    prober.start();
    std::string state;
    for (auto const end = std::chrono::steady_clock::now() + 10s;
         state != expected && std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(5ms)) {
        auto const view = hosts.view();
        state = view.hosts[0].trouble + (view.has_primary ? "primary" : "");
    }
    return state;
}

struct Server {
    char const* version;
    char const* wsrep_on; // null: it does not know such a variable
    Script replies;
};

Script script_of(Server const& server) {
    std::vector<packets::Cells> variables{{"version", server.version}};
    if (server.wsrep_on) variables.push_back({"wsrep_on", server.wsrep_on});
    Script script{{"GLOBAL VARIABLES", table({"Variable_name", "Value"}, variables)}};
    script.insert(script.end(), server.replies.begin(), server.replies.end());
    return script;
}

Server mariadb(char const* read_only, char const* positions) {
    return {"10.11.19-MariaDB",
            "OFF",
            {{"gtid_binlog_pos", table({"read_only", "gtids"}, {{read_only, positions}})}}};
}

Server mysql(char const* read_only, char const* executed) {
    return {"8.4.3",
            nullptr,
            {{"gtid_executed", table({"read_only", "gtids"}, {{read_only, executed}})}}};
}

Server galera(char const* ready, char const* status, char const* state, char const* comment) {
    return {"10.11.19-MariaDB",
            "ON",
            {{"GLOBAL STATUS",
              table({"Variable_name", "Value"}, {{"wsrep_ready", ready},
                                                 {"wsrep_cluster_status", status},
                                                 {"wsrep_local_state", state},
                                                 {"wsrep_local_state_comment", comment},
                                                 {"wsrep_cluster_state_uuid", "u"},
                                                 {"wsrep_last_committed", "7"}})}}};
}

constexpr auto uuid = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

} // namespace

BOOST_AUTO_TEST_CASE(a_host_is_what_it_says_of_itself) {
    auto const gtids = uuid + std::string(":1-5");
    auto no_majority = galera("ON", "Primary", "4", "Synced");
    no_majority.replies.push_back(
        {"DO 1", {packets::error(1047, "WSREP has not yet prepared node")}});
    auto no_row = mariadb("0", "0-1-5,");
    no_row.replies = {{"gtid_binlog_pos", table({"read_only", "gtids"}, {})}};
    constexpr auto behind = "is not known to have everything that the primary has";
    std::tuple<char const*, Server, std::string> const cases[] = {
        {"a primary", mariadb("0", "0-1-5,"), "primary"},
        {"a replica, whose primary is not there", mariadb("1", ",0-1-5"), behind},
        {"a position of no known form", mariadb("0", "5"),
         "reports its transactions in an unknown form"},
        {"nothing", no_row, "does not report which transactions it has"},
        {"a primary of MySQL", mysql("0", gtids.c_str()), "primary"},
        {"a replica of MySQL", mysql("1", gtids.c_str()), behind},
        {"a node", galera("ON", "Primary", "4", "Synced"), "primary"},
        {"a node that is not ready", galera("OFF", "Primary", "4", "Synced"), "is not ready"},
        {"a node without the majority", galera("ON", "non-Primary", "4", "Synced"),
         "is non-Primary, not a member of the primary component"},
        {"a node that refuses", no_majority,
         "failed: database error 1047: WSREP has not yet prepared node"},
        {"a donor", galera("ON", "Primary", "2", "Donor/Desynced"),
         "is Donor/Desynced, not Synced"},
    };
    for (auto const& [name, server, state] : cases)
        BOOST_TEST(state_of(ScriptedServer(script_of(server)), state) == state, name);
}

BOOST_AUTO_TEST_CASE(it_ends_at_once_whatever_the_servers_do) {
    Listener const silent;
    db::DatabaseHosts both(silent.url());
    both.rules.connect_timeout = 1h;
    both.urls.push_back(silent.url());
    both.urls.back().user = "another";
    db::Hosts hosts(both);
    auto const begin = std::chrono::steady_clock::now();
    {
        db::Prober prober(hosts);
        prober.start();
        std::this_thread::sleep_for(20ms);
    }
    BOOST_TEST((std::chrono::steady_clock::now() - begin < 10s));
}

BOOST_AUTO_TEST_SUITE_END()
