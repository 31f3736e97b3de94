#include "db/binlog/opening.hpp"

#include "db/binlog/protocol.hpp"
#include "db/mysql/server_error.hpp"
#include "db/mysql/sql_text.hpp"

#include <algorithm>
#include <random>

namespace db {

namespace {

using Clock = Wire::Clock;

// Errors that only an operator can do something about.
constexpr unsigned refusals[] = {
    1044, // no right on the database
    1045, // access denied
    1130, // host is not allowed to connect
    1227, // a privilege is missing
    1251, // the account's authentication is not supported
    1698, // access denied without password
    2026, // TLS
    2059, // a plugin of authentication is missing
    refused_login,
};

bool is_refusal(unsigned code) {
    return std::ranges::count(refusals, code) > 0;
}

bool fail(Opening& opening, std::string const& doing) {
    opening.trouble = doing + ": " + opening.wire.error();
    return false;
}

// What a network loses is sent again by TCP ever more rarely: who waits long learns late that the
// network is back.
bool connect(Opening& opening, DatabaseUrl const& url, ChangeLog::Settings const& settings) {
    constexpr auto patience = std::chrono::seconds(2);
    auto const silence = std::chrono::ceil<std::chrono::seconds>(4 * settings.heartbeat);
    if (opening.wire.open(url, Clock::now() + patience, silence)) return true;
    auto const code = opening.wire.error_code();
    if (is_refusal(code))
        opening.obstacles.push_back({"the database refuses the account that follows the binary log",
                                     fix_of_refusal(static_cast<int>(code), opening.wire.error(),
                                                    url, AccountUse::following),
                                     opening.wire.error()});
    return fail(opening, "cannot connect");
}

// Sets what replicas set. The capability is that of MariaDB 10.0, whose events have GTIDs.
std::string replica_variables(ChangeLog::Settings const& settings, bool is_mariadb) {
    std::chrono::nanoseconds const period = settings.heartbeat;
    auto const heartbeat = "heartbeat_period = " + std::to_string(period.count());
    std::string const checksum = "binlog_checksum = @@GLOBAL.binlog_checksum";
    auto const variables = "SET @master_" + heartbeat + ", @master_" + checksum;
    if (is_mariadb) return variables + ", @mariadb_slave_capability = 4";
    return variables + ", @source_" + heartbeat + ", @source_" + checksum;
}

// On MySQL, a transaction that is about to become visible is already before the end of the binlog,
// but not executed yet: it is owned, or it is executed by the time that gtid_executed is read.
bool find_floor(Opening& opening, Clock::time_point by) {
    auto owned = opening.wire.query("SELECT @@GLOBAL.gtid_owned", by);
    if (!owned || !owned->next()) return fail(opening, "cannot read gtid_owned");
    auto executed = opening.wire.query("SELECT @@GLOBAL.gtid_executed", by);
    if (!executed || !executed->next()) return fail(opening, "cannot read gtid_executed");
    auto const uuid = opening.facts.variable("server_uuid");
    auto const& first = protocol().counts_owned ? executed->text(0) : opening.facts.end->executed;
    opening.floor = settled_number(first, uuid);
    if (protocol().counts_owned)
        opening.floor = std::max(opening.floor, highest_owned(owned->text(0)));
    return true;
}

std::uint32_t random_server_id() {
    std::random_device random;
    return std::uniform_int_distribution<std::uint32_t>(std::uint32_t{1} << 31)(random);
}

bool follow(Opening& opening, std::string const& file, std::uint32_t server_id) {
    auto const offset = opening.position - position_in(file_of(opening.position), 0);
    if (opening.wire.follow(file, offset, server_id > 0 ? server_id : random_server_id()))
        opening.packet = opening.wire.next_event();
    if (opening.packet) return true;
    if (is_refusal(opening.wire.error_code()))
        opening.obstacles.push_back(obstacle_of_following(opening.facts, opening.wire.error()));
    return fail(opening, "cannot follow the binary log");
}

// Reads the start of the file that the binlog ends in: the checkpoint, as Settlement::begin() takes
// it, is in its head, or comes soon after it was begun. The landmark is a transaction, or where
// there is none yet what the file says of those before.
bool read_start(Opening& opening, Clock::time_point by) {
    constexpr std::string_view with_numbers[] = {"Xid", "Gtid", "Gtid_list", "Previous_gtids"};
    auto const& file = opening.facts.end->file;
    if (!is_landmark_file(file)) return true;
    auto rows = opening.wire.query("SHOW BINLOG EVENTS IN '" + file + "' LIMIT 5000", by);
    if (!rows) return fail(opening, "cannot read the start of the binary log");
    bool is_in_head = true;
    for (bool has_transaction = false; rows->next();) {
        auto const begin = position_of(file, rows->text("Pos"));
        auto const end = position_of(file, rows->text("End_log_pos"));
        if (!begin || !end || *end > opening.position) break;
        auto const kind = rows->text("Event_type");
        auto const text = rows->text("Info");
        if (kind == "Gtid") is_in_head = false;
        if (kind == "Binlog_checkpoint" && text == file && !opening.checkpoint)
            opening.checkpoint = is_in_head ? position_in(file_of(*end), 0) : *end;
        if (kind == "Xid") has_transaction = true;
        if (kind == "Xid" || (!has_transaction && std::ranges::count(with_numbers, kind) > 0))
            opening.landmark = {file, *begin - position_in(file_of(*begin), 0), std::string(text)};
    }
    return true;
}

// Finds the file of that position, which the server removes after a while. Its other files have the
// same name but for the number.
std::optional<std::string> find_file(Opening& opening, LogPlace const& from, Clock::time_point by) {
    opening.is_gone = opening.server != from.server;
    if (opening.is_gone) {
        opening.trouble = "the database server is another one";
        return std::nullopt;
    }
    auto rows = opening.wire.query("SHOW BINARY LOGS", by);
    if (!rows) {
        fail(opening, "cannot read which files the binary log has");
        return std::nullopt;
    }
    while (rows->next()) {
        auto const end = position_of(rows->text(0), rows->text(1));
        if (end && file_of(*end) == file_of(from.position) && from.position <= *end)
            return std::string(rows->text(0));
    }
    opening.is_gone = true;
    opening.trouble = "the binary log no longer has what was to be read next";
    return std::nullopt;
}

} // namespace

bool open_log(Opening& opening, DatabaseUrl const& url, ChangeLog::Settings const& settings,
              std::optional<LogPlace> const& from) {
    constexpr auto patience = std::chrono::seconds(5);
    auto const by = Clock::now() + patience;
    if (!connect(opening, url, settings)) return false;
    auto facts = ask_facts(opening.wire, by);
    if (!facts) return fail(opening, "cannot read the server's version and variables");
    opening.facts = *std::move(facts);
    opening.obstacles = obstacles_of(opening.facts);
    if (!opening.obstacles.empty()) return false;

    auto const& end = *opening.facts.end;
    auto const position = position_of(end.file, end.offset);
    if (!position)
        return fail(opening, "the end of the binary log has an unknown form: " + end.file + ':' +
                                 end.offset);
    opening.position = *position;
    opening.floor = *position;
    bool const is_mariadb = opening.facts.is_mariadb();
    if ((!is_mariadb && !find_floor(opening, by)) || !read_start(opening, by)) return false;
    auto server = opening.wire.query(SqlText(server_statement).str(), by);
    if (!server) return fail(opening, "cannot read which server this is");
    opening.server = server_of(*server);
    if (!opening.wire.query(replica_variables(settings, is_mariadb), by))
        return fail(opening, "cannot set the session variables of a replica");
    if (!from) return follow(opening, end.file, settings.server_id);
    auto const file = find_file(opening, *from, by);
    if (!file) return false;
    opening.position = from->position;
    return follow(opening, *file, settings.server_id);
}

Survey survey_log(DatabaseUrl const& url) {
    Interrupter interrupter;
    Opening opening(interrupter);
    bool const opened = open_log(opening, url, {.url = url});
    Survey survey{.obstacles = opening.obstacles, .hints = hints_of(opening.facts)};
    if (!opened && survey.obstacles.empty())
        survey.obstacles.push_back(
            {"the binary log cannot be followed",
             fix_of_refusal(static_cast<int>(opening.wire.error_code()), opening.wire.error(), url,
                            AccountUse::following),
             opening.trouble});
    return survey;
}

} // namespace db
