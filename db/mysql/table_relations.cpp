#include "db/mysql/table_relations.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <locale>

namespace db {

namespace {

TableName table_name(std::string_view database, std::string_view name) {
    return {std::string(database), boost::to_lower_copy(std::string(name), std::locale::classic())};
}

// ` WHERE TABLE_SCHEMA = …`
void append_of(SqlText& sql, std::string const& database) {
    sql << " WHERE TABLE_SCHEMA = ";
    if (database.empty())
        sql << "DATABASE()";
    else
        sql.text(database);
}

// Adds the tables of a database.
parser::Result<void> read_tables(Connection& connection, std::string const& database,
                                 TableRelations::Tables& tables) {
    SqlText sql;
    sql << "SELECT TABLE_NAME, TABLE_TYPE = 'BASE TABLE' AND ENGINE = 'InnoDB'"
           " FROM information_schema.TABLES";
    append_of(sql, database);
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const name = table_name(database, rows->text(0));
        bool const follows_log = rows->text(1) == "1";
        // Two names may differ in letter case alone.
        auto const [table, is_new] = tables.try_emplace(name);
        table->second.follows_log = follows_log && (is_new || table->second.follows_log);
    }
    return {};
}

// Adds where their foreign keys lead. MariaDB shows nothing of REFERENTIAL_CONSTRAINTS to an
// account that has only SELECT.
parser::Result<void> read_parents(Connection& connection, std::string const& database,
                                  TableRelations::Tables& tables) {
    SqlText sql;
    sql << "SELECT TABLE_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, DATABASE()"
           " FROM information_schema.KEY_COLUMN_USAGE";
    append_of(sql, database);
    sql << " AND REFERENCED_TABLE_NAME IS NOT NULL";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const child = table_name(database, rows->text(0));
        std::string const parents_database(rows->text(1));
        bool const is_own = parents_database == rows->text(3);
        tables[child].parents.insert(
            table_name(is_own ? std::string() : parents_database, rows->text(2)));
    }
    return {};
}

} // namespace

parser::Result<TableRelations> TableRelations::read(Connection& connection) {
    Tables tables;
    std::set<std::string> known;
    for (std::set<std::string> unknown{""}; !unknown.empty();) {
        auto const database = unknown.extract(unknown.begin()).value();
        if (auto done = read_tables(connection, database, tables); !done) return done.error();
        if (auto done = read_parents(connection, database, tables); !done) return done.error();
        known.insert(database);
        for (auto const& [child, table] : tables)
            for (TableName const& parent : table.parents)
                if (!known.contains(parent.database)) unknown.insert(parent.database);
    }
    return TableRelations(std::move(tables));
}

TableRelations::Dependencies
TableRelations::dependencies(std::span<std::string_view const> tables) const {
    std::set<TableName> found;
    std::set<TableName> to_follow;
    for (std::string_view const table : tables)
        to_follow.insert(table_name({}, table));
    Dependencies dependencies;
    while (!to_follow.empty()) {
        auto const name = to_follow.extract(to_follow.begin()).value();
        if (!found.insert(name).second) continue;
        auto const table = tables_.find(name);
        if (table == tables_.end() || !table->second.follows_log) {
            if (!dependencies.untold) dependencies.untold = name;
            continue;
        }
        to_follow.insert(table->second.parents.begin(), table->second.parents.end());
    }
    dependencies.tables.assign(found.begin(), found.end());
    return dependencies;
}

} // namespace db
