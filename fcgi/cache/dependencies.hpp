#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/table_relations.hpp"
#include "db/row_uses.hpp"

#include <vector>

namespace fcgi {

// Changes of these are changes of what something was made of.
struct Dependencies {
    std::vector<db::ChangeLog::Table const*> tables;
    std::vector<db::ChangeLog::Slot> slots; // sorted, each once
};

// Returns the changes by which the log shows that one of the rows may have changed. Foreign keys
// are followed: a row that is deleted may take others along, of which the log need not have a
// trace. tests/cache/rows_test.cpp changes any rows of the examples in any way, and compares each
// response with the database.
Dependencies dependencies_of(db::RowUses uses, db::TableRelations const& relations,
                             db::ChangeLog& log);

} // namespace fcgi
