#include "fcgi/indexes/online.hpp"

#include "fcgi/content/content.hpp"

#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

namespace fcgi {

namespace {

// The server writes the time in its own time zone.
constexpr db::SqlPiece long_transactions =
    "SELECT trx_mysql_thread_id, TIMESTAMPDIFF(SECOND, CONVERT_TZ(trx_started, 'SYSTEM', '+00:00'),"
    " UTC_TIMESTAMP()) AS seconds FROM information_schema.INNODB_TRX"
    " WHERE trx_mysql_thread_id <> CONNECTION_ID() HAVING seconds > 3 ORDER BY seconds DESC";

} // namespace

parser::Result<std::unique_ptr<db::Connection>> open_for_changes(Options const& options) {
    auto connection = open_as_owner(options);
    if (!connection) return connection;
    if (auto set = (*connection)->command(db::SqlPiece("SET SESSION lock_wait_timeout = 1")); !set)
        return set.error();
    return connection;
}

parser::Result<bool> expect_no_long_transaction(db::Connection& connection) {
    auto transactions = connection.query(long_transactions);
    if (!transactions) {
        bool const may_not = transactions.error().kind == parser::ErrorKind::not_granted;
        return may_not && connection.resume() ? parser::Result<bool>(false) : transactions.error();
    }
    if (!transactions->next()) return true;
    std::string const connection_id(transactions->text(0)), seconds(transactions->text(1));
    return parser::unavailable("connection " + connection_id + " has had a transaction open for " +
                               seconds + " s; run this again once it has ended");
}

std::optional<std::uint64_t> free_disk(db::Connection& connection, Options const& options) {
    if (options.database_hosts.first().socket.empty()) return std::nullopt;
    auto rows = connection.query(db::SqlPiece("SELECT @@datadir"));
    if (!rows || !rows->next()) return std::nullopt;
    std::error_code error;
    auto const space = std::filesystem::space(std::string(rows->text(0)), error);
    return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

parser::Result<void> run_change(db::Connection& connection, db::SqlText const& statement) {
    std::cout << statement.str() << ";\n" << std::flush;
    return connection.command(statement);
}

} // namespace fcgi
