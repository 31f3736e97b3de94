#include "db/binlog/server_facts.hpp"

#include "db/binlog/protocol.hpp"
#include "db/mysql/server_error.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace db {

namespace {

// Versions of servers for which responses were compared with writes, a million times each.
struct KnownServer {
    std::string_view server;
    std::pair<unsigned, unsigned> release; // major and minor
};
constexpr KnownServer known_servers[] = {
    {"MariaDB", {10, 11}},
    {"MariaDB", {11, 8}},
    {"MySQL", {9, 7}},
};

std::pair<unsigned, unsigned> release_of(std::string_view version) {
    std::pair<unsigned, unsigned> release{0, 0};
    auto const* const end = version.data() + version.size();
    auto const parsed = std::from_chars(version.data(), end, release.first);
    if (parsed.ptr < end) std::from_chars(parsed.ptr + 1, end, release.second);
    return release;
}

bool is_known(ServerFacts const& facts) {
    auto const release = release_of(facts.version);
    return std::ranges::any_of(known_servers, [&](KnownServer const& known) {
        return (known.server == "MariaDB") == facts.is_mariadb() && known.release == release;
    });
}

std::string known_names() {
    std::string names;
    for (auto const& known : known_servers)
        names.append(names.empty() ? "" : ", ")
            .append(known.server)
            .append(" ")
            .append(std::to_string(known.release.first))
            .append(".")
            .append(std::to_string(known.release.second));
    return names;
}

std::string grants(ServerFacts const& facts) {
    return std::string("GRANT REPLICATION SLAVE, ") +
           (facts.is_mariadb() ? "BINLOG MONITOR" : "REPLICATION CLIENT") + " ON *.* TO " +
           facts.account;
}

// A value of a variable with which the binlog does not show all changes, or not in the order in
// which they become visible.
struct Wrong {
    std::string_view variable;
    std::string_view value;
    std::string_view why;
    std::string_view fix;
};

constexpr Wrong wrong_on_mariadb[] = {
    {"binlog_optimize_thread_scheduling", "OFF",
     "transactions become visible in another order than in the binary log",
     "set binlog_optimize_thread_scheduling = ON in my.cnf, and restart the server"},
};

constexpr Wrong wrong_on_mysql[] = {
    {"binlog_order_commits", "OFF",
     "transactions become visible in another order than in the binary log",
     "set binlog_order_commits = ON in my.cnf, and also with SET GLOBAL"},
    {"binlog_transaction_compression", "ON", "the binary log does not show which tables change",
     "set binlog_transaction_compression = OFF in my.cnf, and restart the server and the CMS"},
};

void add_wrong(std::vector<Obstacle>& obstacles, ServerFacts const& facts, auto const& table) {
    for (Wrong const& wrong : table)
        if (facts.is(wrong.variable, wrong.value))
            obstacles.push_back({std::string(wrong.variable).append(" is ").append(wrong.value) +
                                     ": " + std::string(wrong.why),
                                 std::string(wrong.fix)});
}

void add_of_kind(std::vector<Obstacle>& obstacles, ServerFacts const& facts) {
    if (!facts.is_mariadb()) {
        add_wrong(obstacles, facts, wrong_on_mysql);
        if (facts.end && facts.is("log_replica_updates", "OFF"))
            obstacles.push_back(
                {"log_replica_updates is OFF: a replica does not log the changes that it applies",
                 "set log_replica_updates = ON in my.cnf, and restart the server"});
        if (!facts.is("gtid_mode", "ON"))
            obstacles.push_back({"gtid_mode is " + std::string(facts.variable("gtid_mode")) +
                                     ": without it, nothing shows which transactions are visible",
                                 "set gtid_mode = ON and enforce_gtid_consistency = ON in my.cnf, "
                                 "and restart the server"});
        return;
    }
    add_wrong(obstacles, facts, wrong_on_mariadb);
    if (facts.is("log_slave_updates", "OFF") && (facts.has_replicated || facts.is_galera()))
        obstacles.push_back({"log_slave_updates is OFF: the server does not log the changes that "
                             "it applies from others",
                             "set log_slave_updates = ON in my.cnf, and restart the server"});
    if (auto const engine = facts.variable("binlog_storage_engine"); !engine.empty())
        obstacles.push_back(
            {"binlog_storage_engine is " + std::string(engine) +
                 ": with it, the binary log has no positions in files",
             "leave binlog_storage_engine unset in my.cnf, and restart the server"});
}

std::string const row_format = "binlog_format = ROW in my.cnf, ";

bool logs_rows(ServerFacts const& facts) {
    auto const format = facts.variable("binlog_format");
    return format.empty() || facts.is("binlog_format", "ROW");
}

Obstacle obstacle_of_end(ServerFacts const& facts) {
    if (facts.error_code == 0)
        return {"log_bin is OFF: there is no binary log of changes",
                std::string("set log_bin ") +
                    (logs_rows(facts) ? "in my.cnf, " : "and " + row_format) +
                    "and restart the server"};
    return {"the account may not see where the binary log ends",
            "as an administrator of the server, " + grants(facts), facts.error};
}

// The log has no such file, or no event begins there: ER_ERROR_WHEN_EXECUTING_COMMAND.
constexpr unsigned no_such_event = 1220;

} // namespace

std::string_view ServerFacts::variable(std::string_view name) const {
    auto const found = variables.find(name);
    return found == variables.end() ? std::string_view() : found->second;
}

bool ServerFacts::is(std::string_view variable_name, std::string_view value) const {
    auto const known = variable(variable_name);
    return boost::iequals(known, value) || (known == "1" && value == "ON") ||
           (known == "0" && value == "OFF");
}

std::string ServerFacts::name() const {
    return (is_mariadb() ? "MariaDB " : "MySQL ") + version.substr(0, version.find('-'));
}

std::string_view end_statement(ServerFacts const& facts, bool syncs) {
    bool const is_node = facts.is_galera() && protocol().asks_node;
    if (is_node && syncs) return "SELECT 1; SHOW MASTER STATUS";
    if (is_node) return "DO 1; SHOW MASTER STATUS";
    bool const is_new = release_of(facts.version) >= std::pair(8U, 2U);
    return !facts.is_mariadb() && is_new ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS";
}

LogEnd read_log_end(WireRows const& row) {
    return {.file = std::string(row.text(0)),
            .offset = std::string(row.text(1)),
            .executed = std::string(row.text(4)),
            .do_database = std::string(row.text(2)),
            .ignore_database = std::string(row.text(3))};
}

std::optional<ServerFacts> ask_facts(Wire& wire, Wire::Clock::time_point by) {
    ServerFacts facts;
    auto version = wire.query("SELECT VERSION(), CURRENT_USER()", by);
    if (!version || !version->next()) return std::nullopt;
    facts.version = version->text(0);
    facts.account = quoted_account(version->text(1));
    auto variables = wire.query(
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('binlog_format', 'binlog_order_commits',"
        " 'binlog_optimize_thread_scheduling', 'binlog_row_image', 'binlog_storage_engine',"
        " 'binlog_transaction_compression', 'gtid_mode', 'gtid_slave_pos', 'log_bin',"
        " 'log_replica_updates', 'log_slave_updates', 'server_uuid', 'wsrep_on')",
        by);
    if (!variables) return std::nullopt;
    while (variables->next())
        facts.variables.emplace(variables->text(0), variables->text(1));
    auto replicas = wire.query("SHOW GLOBAL STATUS LIKE 'Slaves_running'", by);
    if (!replicas) return std::nullopt;
    bool const applies = replicas->next() && replicas->text(1) != "0";
    facts.has_replicated = applies || !facts.variable("gtid_slave_pos").empty();
    auto end = wire.query(end_statement(facts), by);
    if (end && end->next()) {
        facts.end = read_log_end(*end);
    } else if (!end) {
        facts.error_code = wire.error_code();
        facts.error = wire.error();
        if (facts.error_code == 0 || facts.error_code >= 2000) return std::nullopt;
    }
    return facts;
}

std::vector<Obstacle> obstacles_of(ServerFacts const& facts) {
    std::vector<Obstacle> obstacles;
    if (!is_known(facts))
        obstacles.push_back(
            {facts.name() + " was not tested with this program", "use one of " + known_names()});
    if (!facts.end)
        obstacles.push_back(obstacle_of_end(facts));
    else if (!facts.end->do_database.empty() || !facts.end->ignore_database.empty())
        obstacles.push_back(
            {"the binary log leaves out databases (binlog_do_db, binlog_ignore_db)",
             "remove binlog_do_db and binlog_ignore_db from my.cnf, and restart the "
             "server"});
    add_of_kind(obstacles, facts);
    return obstacles;
}

std::vector<Obstacle> hints_of(ServerFacts const& facts) {
    std::vector<Obstacle> hints;
    if (!logs_rows(facts))
        hints.push_back({"binlog_format is " + std::string(facts.variable("binlog_format")) +
                             ": statements in the binary log do not show which tables they change, "
                             "so each one invalidates the whole cache",
                         fix_of_statements(facts)});
    return hints;
}

std::string fix_of_statements(ServerFacts const& facts) {
    if (!logs_rows(facts))
        return "set " + row_format + "and restart the server and the programs that write";
    return "none is needed while a dump is loaded or tables are altered; otherwise restart the "
           "programs that write: binlog_format is ROW, but their sessions began with another value";
}

Obstacle obstacle_of_following(ServerFacts const& facts, std::string const& error) {
    return {"the account may not follow the binary log",
            "as an administrator of the server, " + grants(facts), error};
}

bool is_landmark_file(std::string_view name) {
    return !name.empty() && name.find_first_of("'\\") == name.npos;
}

EndStatement::EndStatement(std::string_view end_statement, std::optional<Landmark> landmark)
    : landmark_(std::move(landmark)) {
    if (landmark_)
        text_.append("SHOW BINLOG EVENTS IN '")
            .append(landmark_->file)
            .append("' FROM ")
            .append(std::to_string(landmark_->offset))
            .append(" LIMIT 1; ");
    text_.append(end_statement);
}

bool EndStatement::is_of_same_log(Wire& wire) const {
    if (!landmark_) return true;
    if (wire.error_code() != 0) return wire.error_code() != no_such_event;
    auto event = wire.take_first_rows();
    return event.next() && event.text("Info") == landmark_->text;
}

} // namespace db
