#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/wire.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// Where the binlog ends, as the server reports it.
struct LogEnd {
    std::string file;
    std::string offset;
    std::string executed{}; // MySQL: the GTIDs of what is visible
    // binlog_do_db: only these databases are logged. binlog_ignore_db: these are not.
    std::string do_database{};
    std::string ignore_database{};
};

// These facts decide whether a server's binlog can be followed.
struct ServerFacts {
    std::string version;   // `10.11.19-MariaDB-log`
    std::string account{}; // ours: 'cache'@'localhost'
    std::map<std::string, std::string, std::less<>> variables;
    bool has_replicated = false; // it is a replica of another server, or was one
    std::optional<LogEnd> end;   // none: refused with the error below, or nothing is logged
    unsigned error_code = 0;
    std::string error{};

    bool is_mariadb() const { return version.find("MariaDB") != version.npos; }
    std::string_view variable(std::string_view name) const;                // empty: there is none
    bool is(std::string_view variable_name, std::string_view value) const; // ignores letter case
    bool is_galera() const { return is("wsrep_on", "ON"); }
    std::string name() const; // `MariaDB 10.11.19`
    // Of MySQL; empty: MariaDB.
    std::string_view uuid() const { return is_mariadb() ? "" : variable("server_uuid"); }
};

// Returns the statement that asks where the binlog ends, for an account with REPLICATION CLIENT
// (MariaDB since 10.5: BINLOG MONITOR). A Galera node without a majority answers it nevertheless,
// so it follows another statement, which such a node refuses: DO 1 or, with `syncs`, one that waits
// for everything that the cluster has.
std::string_view end_statement(ServerFacts const& facts, bool syncs = false);
LogEnd read_log_end(WireRows const& row);

// Returns none if the wire failed.
std::optional<ServerFacts> ask_facts(Wire& wire, Wire::Clock::time_point by);

std::vector<Obstacle> obstacles_of(ServerFacts const& facts);
std::vector<Obstacle> hints_of(ServerFacts const& facts);

// Returns the fix for statements that do not say which tables they change.
std::string fix_of_statements(ServerFacts const& facts);

// Returns the obstacle if the server lets the account see the end of the binlog, but not follow it.
Obstacle obstacle_of_following(ServerFacts const& facts, std::string const& error);

// An event by which this binlog is told from others. Where a log ends does not tell them apart:
// RESET MASTER begins a new one under the names of the old one, and as long as it is not longer,
// the server's stream says nothing of that. Two transactions never have the same number, since a
// server counts them from its start on.
struct Landmark {
    std::string file;
    std::uint64_t offset = 0;
    std::string text; // as the server shows it: `COMMIT /* xid=7 */`
};

// Returns whether the name can stand between quotes.
bool is_landmark_file(std::string_view name);

// Asks where the binlog ends, and for the event of the landmark. Lives until the reply has come.
class EndStatement {
  public:
    EndStatement(std::string_view end_statement, std::optional<Landmark> landmark);

    std::string const& text() const { return text_; }
    // Returns whether the reply, or the error, that the wire has got is of the log with the
    // landmark.
    bool is_of_same_log(Wire& wire) const;

  private:
    std::optional<Landmark> landmark_;
    std::string text_;
};

} // namespace db
