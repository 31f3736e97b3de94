#pragma once

#include "db/plan/condition.hpp"
#include "db/plan/read_plan.hpp"
#include "db/select/form.hpp"
#include "db/sql/sql_text.hpp"

// The parts of a statement that say which rows are meant and how they are sorted. `table` is the
// alias of the rows that they are about.

namespace db {

// The tables of subqueries, of a statement in that form.
class Aliases {
  public:
    Aliases(Form form = Form::usual) : form_(form) {}

    Form form() const { return form_; }
    // Whether this is within a condition that is asked inside out.
    bool inside_out = false;
    unsigned next() { return next_++; }

  private:
    Form form_;
    unsigned next_ = 2; // t0 holds the entries, t1 their link
};

void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// ` AND <condition>`, nothing if it is always true.
void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// Whether rows of a link say by themselves that their entries exist: by the foreign key of its own
// table. (That of components has none.)
bool vouches_for(Link const& link, ContentType const& target);
// The rows of a link for one parent: ` AND type = … AND field = …`.
void append_link_scope(SqlText& sql, Link const& link, unsigned table);
// The sort key of an entry: its column, or the first of the related rows' values.
void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases);

} // namespace db
