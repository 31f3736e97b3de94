#include "db/content/preparation.hpp"

#include "db/cms/access.hpp"
#include "db/cms/tables.hpp"
#include "db/content/clearance.hpp"
#include "db/mysql/connection.hpp"

#include <chrono>

namespace db {

namespace {

parser::Result<void> begin_import(Connection& connection) {
    auto begun = connection.command(SqlPiece("SET SESSION sql_mode = 'STRICT_ALL_TABLES'"));
    if (begun) begun = connection.command(SqlPiece("START TRANSACTION"));
    return begun;
}

// Commits or rolls back. True means that the connection was lost during the commit, so that either
// everything is stored or nothing.
parser::Result<bool> end_import(Connection& connection, bool is_to_stay) {
    auto const ended = connection.command(is_to_stay ? SqlPiece("COMMIT") : SqlPiece("ROLLBACK"));
    if (!is_to_stay || ended) return false;
    if (!connection.is_lost()) return ended.error();
    return true;
}

// InnoDB updates its statistics in the middle of a long transaction, and not again when that ends.
// With these figures of the indexes the server would read whole tables for one page. A failure is
// ignored, since everything is imported by now.
void refresh_statistics(Connection& connection, TableColumns const& tables) {
    SqlText sql(SqlPiece("ANALYZE LOCAL TABLE "));
    bool first = true;
    for (auto const& [table, columns] : tables) {
        if (!first) sql << ", ";
        sql.name(table);
        first = false;
    }
    (void)connection.query(sql);
}

} // namespace

parser::Result<void> lock_for_import(Connection& connection) {
    // The server frees the lock only when it notices that the process of the import has ended.
    auto const is_ours = take_lock(connection, "populate-fcgi import", std::chrono::seconds(2));
    if (!is_ours || *is_ours) return {};
    return parser::Error{parser::ErrorKind::conflict,
                         "another import into this database is running"};
}

parser::Result<TableColumns> find_tables(Connection& connection, Schema& schema) {
    auto tables = read_table_columns(connection);
    if (!tables) return tables;
    read_columns(schema, *tables);
    if (schema.lacks.empty()) return tables;
    return parser::Error{parser::ErrorKind::configuration,
                         schema.lacks.front().what +
                             "; the command create-tables creates what is missing"};
}

parser::Result<std::string> owner_of(Connection& connection, TableColumns const& tables,
                                     std::string const& replaced) {
    auto const account = read_account(connection);
    if (!account) return account.error();
    if (!replaced.empty() && replaced != account->database)
        return parser::Error{parser::ErrorKind::configuration, "--replace: the database is " +
                                                                   account->database + ", not " +
                                                                   replaced};
    auto const rows = rows_of_cms(connection, tables);
    if (!rows) return rows.error();
    if (rows->empty() || !replaced.empty()) return std::string();
    return "the database " + account->database +
           " belongs to a CMS: it has rows that neither create-tables nor import made, " + *rows +
           "; to replace its content, add --replace " + account->database;
}

parser::Result<ImportCount> store(Connection& connection, TableColumns const& tables, bool is_trial,
                                  std::function<parser::Result<ImportCount>()> const& write) {
    if (auto begun = begin_import(connection); !begun) return begun.error();
    auto count = write();
    bool const is_to_stay = count && count->mistakes == 0 && !is_trial;
    auto const is_in_doubt = end_import(connection, is_to_stay);
    if (!is_in_doubt) return is_in_doubt.error();
    if (*is_in_doubt) {
        count->is_in_doubt = true;
        return count;
    }
    bool const is_other = count && count->added + count->changed + count->removed > 0;
    if (is_to_stay && is_other) refresh_statistics(connection, tables);
    return count;
}

} // namespace db
