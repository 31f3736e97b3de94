#pragma once

#include "db/plan/condition.hpp"
#include "db/plan/read_plan.hpp"
#include "db/sql/sql_text.hpp"

// The parts of a statement that say which rows are meant and how they are sorted. `table` is the
// alias of the rows that they are about.

namespace db {

// The tables of subqueries.
class Aliases {
  public:
    unsigned next() { return next_++; }

  private:
    unsigned next_ = 2; // t0 holds the entries, t1 their link
};

void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// ` AND <condition>`, nothing if it is always true.
void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// The rows of a link for one parent: ` AND type = … AND field = …`.
void append_link_scope(SqlText& sql, Link const& link, unsigned table);
// The sort key of an entry: its column, or the first of the related rows' values.
void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases);

} // namespace db
