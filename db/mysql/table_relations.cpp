#include "db/mysql/table_relations.hpp"

#include <boost/url/grammar/ci_string.hpp>

#include <algorithm>

namespace db {

namespace {

// Each miss of the cache calls this a hundred times, for which a locale takes too long.
TableName table_name(std::string_view database, std::string_view name) {
    TableName found{std::string(database), std::string(name)};
    std::ranges::transform(found.name, found.name.begin(), boost::urls::grammar::to_lower);
    return found;
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

// Adds their columns, except those of tables with generated ones.
parser::Result<void> read_columns(Connection& connection, std::string const& database,
                                  TableRelations::Tables& tables) {
    SqlText sql;
    sql << "SELECT TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, GENERATION_EXPRESSION <> '',"
           " COLLATION_NAME REGEXP '^[a-z0-9]+_(general|unicode|unicode_520|0900|uca1400|bin)"
           "(_(nopad|ai|as|ci|cs|bin))*$'"
           " FROM information_schema.COLUMNS";
    append_of(sql, database);
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    std::set<TableName> with_generated;
    while (rows->next()) {
        auto const name = table_name(database, rows->text(0));
        auto& columns = tables[name].columns;
        bool const is_known =
            columns.emplace(rows->text(1), static_cast<std::uint16_t>(rows->id(2) - 1)).second;
        if (!is_known || rows->text(3) == "1") with_generated.insert(name);
        if (rows->text(4) == "1") tables[name].plain_texts.emplace(rows->text(1));
    }
    for (auto const& name : with_generated)
        tables[name].columns.clear();
    return {};
}

// Adds where their foreign keys lead. MariaDB shows nothing of REFERENTIAL_CONSTRAINTS to an
// account that has only SELECT.
parser::Result<void> read_parents(Connection& connection, std::string const& database,
                                  TableRelations::Tables& tables) {
    SqlText sql;
    sql << "SELECT TABLE_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, DATABASE(),"
           " REFERENCED_COLUMN_NAME"
           " FROM information_schema.KEY_COLUMN_USAGE";
    append_of(sql, database);
    sql << " AND REFERENCED_TABLE_NAME IS NOT NULL";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const child = table_name(database, rows->text(0));
        std::string const parents_database(rows->text(1));
        bool const is_own = parents_database == rows->text(3);
        auto& table = tables[child];
        table.parents.insert(table_name(is_own ? std::string() : parents_database, rows->text(2)));
        if (rows->text(4) != "id") table.columns.clear();
    }
    return {};
}

} // namespace

TableName table_name(std::string_view name) {
    return table_name({}, name);
}

TableRelations::TableRelations(Tables tables) : tables_(std::move(tables)) {
    for (auto& [name, table] : tables_) {
        auto const found = follow(table.parents);
        table.ancestors.assign(found.begin(), found.end());
    }
}

parser::Result<TableRelations> TableRelations::read(Connection& connection) {
    Tables tables;
    std::set<std::string> known;
    for (std::set<std::string> unknown{""}; !unknown.empty();) {
        auto const database = unknown.extract(unknown.begin()).value();
        if (auto done = read_tables(connection, database, tables); !done) return done.error();
        if (auto done = read_columns(connection, database, tables); !done) return done.error();
        if (auto done = read_parents(connection, database, tables); !done) return done.error();
        known.insert(database);
        for (auto const& [child, table] : tables)
            for (TableName const& parent : table.parents)
                if (!known.contains(parent.database)) unknown.insert(parent.database);
    }
    return TableRelations(std::move(tables));
}

// Returns the tables, and those that foreign keys lead to from there. What is above a table whose
// changes the binlog does not show does not matter.
std::set<TableName> TableRelations::follow(std::set<TableName> tables) const {
    std::set<TableName> found;
    while (!tables.empty()) {
        auto const name = tables.extract(tables.begin()).value();
        auto const* table = find(name);
        if (found.insert(name).second && table && table->follows_log)
            tables.insert(table->parents.begin(), table->parents.end());
    }
    return found;
}

TableRelations::TableDependencies
TableRelations::dependencies(std::span<std::string_view const> tables) const {
    std::set<TableName> names;
    for (std::string_view const table : tables)
        names.insert(table_name(table));
    auto const found = follow(std::move(names));
    TableDependencies dependencies{.tables = {found.begin(), found.end()}};
    for (TableName const& name : found)
        if (auto const* table = find(name); !table || !table->follows_log) {
            dependencies.unreported = name;
            break;
        }
    return dependencies;
}

TableRelations::TableFacts const* TableRelations::find(TableName const& table) const {
    auto const found = tables_.find(table);
    return found == tables_.end() ? nullptr : &found->second;
}

} // namespace db
