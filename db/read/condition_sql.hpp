#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/plan/condition.hpp"
#include "db/plan/read_plan.hpp"
#include "db/read/form.hpp"

#include <utility>
#include <vector>

// Writes the parts of a statement that say which rows are meant and how they are sorted. `table` is
// the alias of these rows.

namespace db {

// Numbers the tables of subqueries, in a statement of one form.
class Aliases {
  public:
    Aliases(Form form = Form::usual) : form_(form) {}

    Form form() const { return form_; }
    // Whether the condition that is written now is within one that is asked inside out.
    bool inside_out = false;
    unsigned next() { return next_++; }

  private:
    Form form_;
    unsigned next_ = 2; // t0 holds the entries, t1 their link
};

void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// Appends ` AND <condition>`, or nothing if the condition is always true.
void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// Conditions that must all hold, each with the alias of the rows that it is about.
using ConditionsOfTables = std::vector<std::pair<Condition const*, unsigned>>;

// Returns whether append_joins() joins the rows that such a condition is about.
bool is_joinable(Condition const& condition);
// Appends a JOIN for each relation that `condition` requires, so that an entry has a row for each
// way through them. Adds to `left` what else the condition requires of these rows and of the entry.
void append_joins(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases,
                  ConditionsOfTables& left);
// Returns whether the rows of a link prove that their entries exist: their own table has a foreign
// key. (That of components has none.)
bool vouches_for(Link const& link, ContentType const& target);
// Restricts the rows of a link to one type of parents and one field: ` AND type = … AND field = …`.
void append_link_scope(SqlText& sql, Link const& link, unsigned table);
// Appends the sort key of an entry: its column, or the first of the related rows' values.
void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases);

} // namespace db
