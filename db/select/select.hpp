#pragma once

#include "db/plan/read_plan.hpp"
#include "db/sql/sql_text.hpp"

// The statements of a plan, in the subset of SQL that MariaDB 10.6 and MySQL 8 share.
//
// Result columns, by the source of the node (`columns` and `keys` as in Node):
//
//     root    id, columns…, keys…
//     target  id, columns…, keys…
//     link    parent, order, slot name, id, columns…, keys…
//     pairs   parent, order, target type, target id
//     count   parent, slot name, number
//
// without `order` where the link has none, `slot name` where the node has one slot, `target type`
// where the link has one type: each cell costs, NULL as well. Rows come sorted if the node has
// `sort` or a window, and pairs always; the reader sorts the others by `order` and id, which costs
// less than letting the server sort wide rows.

namespace db {

Statements write_statements(ReadPlan const& plan);

// condition_sql.cpp
class Aliases {
  public:
    unsigned next() { return next_++; }

  private:
    unsigned next_ = 2; // t0 holds the entries, t1 their link
};
void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// ` AND <condition>`, nothing if it is always true.
void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
void append_literal(SqlText& sql, Literal const& literal);
// The rows of a link for one parent: ` AND type = … AND field = …`.
void append_link_scope(SqlText& sql, Link const& link, unsigned alias);
// `FROM link JOIN target ON … WHERE <belongs to t<parent>>`
void append_related_from(SqlText& sql, Link const& link, ContentType const& target, unsigned parent,
                         unsigned related, Aliases& aliases);
// The sort key of an entry: its column, or the first of the related rows' values.
void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases);

} // namespace db
