#pragma once

#include "db/content/layout.hpp"
#include "db/mysql/connection.hpp"

#include <map>
#include <set>

namespace db {

// What a database has of a table, by names in lower case: the server compares these names without
// regard to letter case.
struct ExistingTable {
    std::set<std::string> columns;
    std::set<std::string> indexes;
    std::set<std::string> foreign_keys;
};

class ExistingTables {
  public:
    // Describes an empty database.
    ExistingTables() = default;
    static parser::Result<ExistingTables> read(Connection& connection);

    // Returns null if there is none.
    ExistingTable const* find(std::string const& table) const;

  private:
    std::map<std::string, ExistingTable> tables_;
};

// Returns the parts of a table that the database lacks. A column that exists with another type, or
// a key of the same name over other columns, is not missing.
Table missing_parts(Table const& table, ExistingTable const& existing);

} // namespace db
