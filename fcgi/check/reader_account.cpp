#include "fcgi/check/reader_account.hpp"

#include "db/mysql/server_error.hpp"

#include <charconv>

namespace fcgi {

namespace {

using db::SqlText;
using parser::Result;

SqlText account(std::string const& user) {
    return std::move(SqlText().name(user) << "@`localhost`");
}

SqlText create_user(std::string const& user, bool is_mariadb) {
    SqlText sql("CREATE USER ");
    sql << account(user);
    if (is_mariadb) return std::move(sql << " IDENTIFIED VIA unix_socket");
    return std::move(sql << " IDENTIFIED WITH auth_socket");
}

SqlText drop_user(std::string const& user) {
    return std::move(SqlText("DROP USER ") << account(user));
}

SqlText grant(std::string const& database, std::string const& user) {
    SqlText sql("GRANT SELECT ON ");
    sql.name(db::granted_name(database)) << ".* TO ";
    return std::move(sql << account(user));
}

SqlText revoke(std::string const& database, std::string const& user) {
    SqlText sql("REVOKE SELECT ON ");
    sql.name(db::granted_name(database)) << ".* FROM ";
    return std::move(sql << account(user));
}

Result<bool> has_rows(db::Connection& connection, SqlText const& sql) {
    auto const rows = connection.query(sql);
    if (!rows) return rows.error();
    return rows->rows() > 0;
}

} // namespace

Result<ReaderAccount> ReaderAccount::find(db::DatabaseUrl const& server, std::string const& user) {
    auto connection = db::Connection::open(server, db::owner_session);
    if (!connection) return connection.error();
    ReaderAccount found(*std::move(connection));
    auto facts = found.connection_->query(
        found.is_mariadb()
            ? db::SqlPiece("SELECT @@port, @@log_bin = 1 AND @@binlog_format = 'ROW'")
            : db::SqlPiece("SELECT @@port, @@log_bin = 1 AND @@binlog_format = 'ROW' AND "
                           "@@gtid_mode = 'ON'"));
    if (!facts) return facts.error();
    facts->next();
    auto const port = facts->text(0);
    std::from_chars(port.data(), port.data() + port.size(), found.port_);
    found.logs_rows_ = facts->text(1) == "1";

    SqlText of_user("SELECT 1 FROM mysql.user WHERE Host = 'localhost' AND User = ");
    auto const is_there = has_rows(*found.connection_, of_user.text(user));
    if (!is_there) return is_there.error();
    SqlText of_grant(
        "SELECT 1 FROM mysql.db WHERE Host = 'localhost' AND Select_priv = 'Y' AND User = ");
    of_grant.text(user) << " AND Db = ";
    auto const may_read =
        has_rows(*found.connection_, of_grant.text(db::granted_name(server.name)));
    if (!may_read) return may_read.error();
    if (!*is_there)
        found.steps_.push_back({create_user(user, found.is_mariadb()), drop_user(user)});
    if (!*may_read) found.steps_.push_back({grant(server.name, user), revoke(server.name, user)});
    return found;
}

std::vector<SqlText> ReaderAccount::statements() const {
    std::vector<SqlText> statements;
    for (Step const& step : steps_)
        statements.push_back(step.make);
    return statements;
}

Result<void> ReaderAccount::make() {
    for (Step const& step : steps_) {
        auto done = connection_->command(step.make);
        if (!done) {
            auto error = done.error();
            constexpr auto not_loaded = "'auth_socket' is not loaded";
            if (error.cause.find(not_loaded) != error.cause.npos)
                error.cause += "; fix: INSTALL PLUGIN auth_socket SONAME 'auth_socket.so', as an "
                               "administrator of the server";
            return error;
        }
        ++made_;
    }
    return {};
}

Result<void> ReaderAccount::take_back() {
    std::string left;
    parser::Error why;
    for (; made_ > 0; --made_)
        if (auto done = connection_->command(steps_[made_ - 1].undo); !done) {
            left += "\n    " + steps_[made_ - 1].undo.str() + ';';
            why = done.error();
        }
    if (left.empty()) return {};
    why.cause +=
        "\nThese statements remain for you to type, as an administrator of the server:" + left;
    return why;
}

} // namespace fcgi
