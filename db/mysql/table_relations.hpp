#pragma once

#include "db/mysql/connection.hpp"

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

// Which tables change along with which. A foreign key changes rows of the child where the parent's
// go: inside of InnoDB, so that the log may not say it. MySQL before 9.6, and later with
// innodb_native_foreign_keys=ON, logs nothing of the child. MariaDB 10.11 and MySQL 9.7 do.
class TableRelations {
  public:
    struct Table {
        // Changes are seen by readers after the log has them. Not so with MyISAM, and a view is
        // changed by other names than its own.
        bool follows_log = false;
        std::set<TableName> parents = {}; // where foreign keys lead
        bool operator==(Table const&) const = default;
    };
    using Tables = std::map<TableName, Table>;

    // Nothing is known of any table.
    TableRelations() = default;
    explicit TableRelations(Tables tables) : tables_(std::move(tables)) {}
    // Takes SELECT alone. Of databases other than the connection's those that keys lead to.
    static parser::Result<TableRelations> read(Connection& connection);

    struct Dependencies {
        std::vector<TableName> tables; // sorted, each once
        // One of them, or one that is not known: the log does not tell of its changes in time.
        std::optional<TableName> untold = {};
    };
    // What has changed if rows of `tables`, of the connection's database, have: one of them, or one
    // that foreign keys lead to from there, however far.
    Dependencies dependencies(std::span<std::string_view const> tables) const;

    bool operator==(TableRelations const&) const = default;

  private:
    Tables tables_;
};

} // namespace db
