#include "db/read/statement.hpp"

namespace db {

void append_direction(SqlText& sql, bool descending) {
    if (descending) sql << " DESC";
}

void append_sort(SqlText& sql, Node const& node, Aliases& aliases) {
    for (SortColumn const& sort : node.sort) {
        append_sort_key(sql, sort, entries, aliases);
        append_direction(sql, sort.descending);
        sql << ", ";
    }
}

void append_limit(SqlText& sql, Node const& node) {
    if (!node.limit && !node.start) return;
    // MySQL has no OFFSET without LIMIT.
    sql << " LIMIT ";
    sql.integer(node.limit.value_or(UINT64_MAX));
    if (node.start.value_or(0) > 0) {
        sql << " OFFSET ";
        sql.integer(*node.start);
    }
}

void append_ids(SqlText& sql) {
    sql << " IN (";
    sql.place_of_ids() << ")";
}

} // namespace db
