#include "db/import/preparation.hpp"

#include "db/cms/tables.hpp"
#include "db/mysql/take_lock.hpp"

#include <chrono>

namespace db {

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

parser::Result<void> begin_import(Connection& connection) {
    auto begun = connection.command(SqlPiece("SET SESSION sql_mode = 'STRICT_ALL_TABLES'"));
    if (begun) begun = connection.command(SqlPiece("START TRANSACTION"));
    return begun;
}

parser::Result<bool> end_import(Connection& connection, bool is_to_stay) {
    auto const ended = connection.command(is_to_stay ? SqlPiece("COMMIT") : SqlPiece("ROLLBACK"));
    if (!is_to_stay || ended) return false;
    if (!connection.is_lost()) return ended.error();
    return true;
}

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

} // namespace db
