#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/row_tag.hpp"
#include "db/binlog/row_uses.hpp"
#include "db/mysql/table_relations.hpp"

#include <string>
#include <vector>

namespace fcgi {

// Changes of these are changes of what something was made of.
struct RowDependencies {
    std::vector<db::ChangeLog::Table const*> tables;
    std::vector<db::ChangeLog::Slot> slots; // sorted, each once
    // The names of the same changes, and that of everything, joined; empty without a Naming.
    std::string names;
};

// How changes are named for caches in front of the server.
struct Naming {
    db::TagNames names;
    // By other columns rows are not told apart there.
    db::RowKeys const& keys;
    char separator;
};

// Returns the changes by which the log shows that one of the rows may have changed. Foreign keys
// are followed: a row that is deleted may take others along, of which the log need not have a
// trace. tests/cache/rows_test.cpp changes any rows of the examples in any way, and compares each
// response with the database.
// `naming` may be null. The names take at most 4 KB: of tables with many, rows are not named, and
// there are no names if those of the tables are more.
RowDependencies dependencies_of(db::RowUses uses, db::TableRelations const& relations,
                                db::ChangeLog& log, Naming* naming = nullptr);

} // namespace fcgi
