#pragma once

#include "db/mysql/connection.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace db {

struct TableName {
    std::string database; // empty: that of the connection
    std::string name;     // ASCII letters in lower case, whatever lower_case_table_names is
    auto operator<=>(TableName const&) const = default;
};
// Of the connection's database.
TableName table_name(std::string_view name);

// Says which tables change along with which. A foreign key changes rows of the child when rows of
// the parent go; that happens inside of InnoDB, so that the binlog may not show it. MySQL before
// 9.6, and later with innodb_native_foreign_keys=ON, logs nothing of the child. MariaDB 10.11 and
// MySQL 9.7 do.
class TableRelations {
  public:
    struct TableFacts {
        // Readers see changes only after the binlog has them. That is not so with MyISAM, and a
        // view is changed under other names than its own.
        bool follows_log = false;
        std::set<TableName> parents = {}; // where foreign keys lead
        // The columns' places in rows of the binlog, from 0. Empty if they are not known, since
        // not all generated columns are logged, or if a foreign key leads to something else than an
        // `id`: what happens to a row then cannot be told from it.
        std::map<std::string, std::uint16_t, std::less<>> columns = {};
        // Those whose collation finds no two different letters of A to Z equal. Others do: of
        // MySQL's, that of Lithuanian does I and Y, that of Latin I and J.
        std::set<std::string, std::less<>> plain_texts = {};
        // All tables that foreign keys lead to from this one; itself, if they lead back. Filled in
        // by TableRelations.
        std::vector<TableName> ancestors = {};
        bool operator==(TableFacts const&) const = default;
    };
    using Tables = std::map<TableName, TableFacts>;

    // Nothing is known of any table.
    TableRelations() = default;
    explicit TableRelations(Tables tables);
    // Needs no privilege but SELECT. Reads the tables of the connection's database, and of those
    // databases that foreign keys lead to.
    static parser::Result<TableRelations> read(Connection& connection);

    struct TableDependencies {
        std::vector<TableName> tables; // sorted, each once
        // One of `tables` that is unknown, or whose changes the binlog does not show in time.
        std::optional<TableName> unreported = {};
    };
    // Returns all tables whose changes may change rows of `tables`: these themselves, which are in
    // the connection's database, and all tables that foreign keys lead to from there.
    TableDependencies dependencies(std::span<std::string_view const> tables) const;

    // Null: it is unknown.
    TableFacts const* find(TableName const& table) const;
    Tables const& tables() const { return tables_; }

    bool operator==(TableRelations const&) const = default;

  private:
    std::set<TableName> follow(std::set<TableName> tables) const;

    Tables tables_;
};

} // namespace db
