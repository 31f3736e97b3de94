#pragma once

#include "db/mysql/table_relations.hpp"
#include "db/read/result_tree.hpp"
#include "db/read/select.hpp"
#include "db/schema/schema.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// The rows of one table that a response has been made of: it would be the same now as long as none
// of these changes.
struct RowUse {
    // Rows with one of these values in a column, before or after a change.
    struct Values {
        std::vector<std::uint64_t> ids = {};
        std::vector<std::string> texts = {};
    };
    std::map<std::string_view, Values> values = {};
    bool inserted = false;                   // any row that is inserted
    bool deleted = false;                    // any row that is deleted
    std::set<std::string_view> columns = {}; // any row in which one of these is updated
    bool all = false;                        // all rows
    // Of a link's table: the tables that its rows lead to. What is used of these says more of them
    // than that they are deleted.
    std::set<std::string_view> ends = {};
};
using RowUses = std::map<std::string_view, RowUse>; // by table; views into the plan

// Finds what rows a plan has been read from. Each rule says which rows, had they been others, could
// have made another response:
//
//   - a root that is looked for by id, document or UID: the rows with that value, and those read;
//   - another root: the rows read, any that is inserted or deleted, and any whose column of a
//     condition or of the sort is updated;
//   - linked entries: rows of the link by each parent, the entries read, and any whose column of a
//     condition is updated, since links to rows that do not satisfy it are there already. With a
//     limit, the columns of the sort, too; with a start or a count, any that is deleted; where no
//     foreign key keeps a link from leading nowhere, any that is inserted;
//   - targets of pairs: all rows asked for, whether they are there or not;
//   - conditions and sorts over relations: in the tables of the links and of what they lead to, any
//     row that is inserted or deleted, and any whose column of these is updated.
//
// What foreign keys do to rows, when the rows that they lead to go, is not among them.
RowUses row_uses(SelectedPlan const& plan, ResultTree const& result,
                 TableRelations const& relations);
// Does the same for the total alone.
RowUses row_uses_of_total(SelectedPlan const& plan);

// The columns by whose values rows are told apart, by table.
using RowKeys = std::map<TableName, std::set<std::string, std::less<>>>;

// Returns all columns that RowUse::values can have for a schema. Who follows the log for caches
// outside of the program tells rows apart by these from the start, and so need not hear from the
// processes whose responses are cached there.
RowKeys row_keys(Schema const& schema);

// Returns whether entries are looked for by the column, of which few have the same value.
bool is_row_key(ContentType const& type, std::string_view column);

} // namespace db
