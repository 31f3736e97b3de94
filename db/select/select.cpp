#include "db/select/select.hpp"

namespace db {

using Source = Node::Source;

namespace {

constexpr unsigned entries = 0;
constexpr unsigned pairs = 1;

// The name of each column that is sent. They are read by their place, but Connector/C++ makes a map
// of the names for each result: with names of their own, that took a fifth of the instructions for
// an entry with ten relations.
constexpr SqlPiece sent = " c";

void append_columns(SqlText& sql, Node const& node) {
    for (Attribute const* attribute : node.columns)
        (sql << ", ").column(entries, attribute->column) << sent;
    for (std::string const& key : node.keys)
        (sql << ", ").column(entries, key) << sent;
}

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

void append_window(SqlText& sql, Node const& node) {
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

bool in_own_table(Link const& link) {
    return link.place == Link::Place::table;
}

// The alias of the table that holds the link's columns.
unsigned link_alias(Link const& link) {
    return in_own_table(link) ? pairs : entries;
}

// The columns that say where a row of a link belongs beside its parent.
struct PlaceColumn {
    std::string const& column;
    SqlPiece name;
};
std::vector<PlaceColumn> place_columns(Node const& node) {
    Link const& link = *node.link;
    std::vector<PlaceColumn> columns;
    if (!link.order_column.empty() && !node.count)
        columns.push_back({link.order_column, "`order`"});
    if (node.slots.size() > 1) columns.push_back({link.field_column, "`slot`"});
    if (node.source == Source::pairs && !link.target_type_column.empty())
        columns.push_back({link.target_type_column, "`type`"});
    return columns;
}

// The rows of some ids in a link, restricted to the slots of the node.
void append_link_where(SqlText& sql, Node const& node) {
    Link link = *node.link;
    unsigned const alias = link_alias(link);
    sql << " WHERE ";
    sql.column(alias, link.parent_column);
    append_ids(sql);
    if (node.slots.size() > 1) {
        sql << " AND ";
        sql.column(alias, link.field_column) << " IN (";
        for (std::size_t i = 0; i < node.slots.size(); ++i) {
            if (i > 0) sql << ", ";
            sql.text(node.slots[i]->link.field);
        }
        sql << ")";
        link.field_column.clear();
    }
    append_link_scope(sql, link, alias);
}

// Whether the table of the entries has to be read: not where ids are all that is asked for, since
// the link has them, and its foreign key vouches that their rows exist. (That of components has
// none.)
bool reads_entries(Node const& node) {
    if (!node.type) return false;
    bool const vouched =
        in_own_table(*node.link) && node.type->kind != ContentType::Kind::component;
    return !vouched || !node.columns.empty() || !node.keys.empty() || !node.sort.empty() ||
           !node.where.always_true();
}

void append_entry_id(SqlText& sql, Node const& node) {
    if (reads_entries(node))
        sql.column(entries, "id");
    else
        sql.column(link_alias(*node.link), node.link->target_column);
}

void append_link_from(SqlText& sql, Node const& node) {
    Link const& link = *node.link;
    sql << " FROM ";
    if (in_own_table(link)) {
        sql.name(link.table) << " ";
        sql.alias(pairs);
        if (!reads_entries(node)) return;
        sql << " JOIN ";
    }
    sql.name(node.type->table) << " ";
    sql.alias(entries);
    if (in_own_table(link)) {
        sql << " ON ";
        sql.column(entries, "id") << " = ";
        sql.column(pairs, link.target_column);
    }
}

// The parent, and where the row belongs beside it.
void append_place(SqlText& sql, Node const& node) {
    unsigned const alias = link_alias(*node.link);
    sql.column(alias, node.link->parent_column) << sent << ", ";
    for (auto const& [column, name] : place_columns(node))
        sql.column(alias, column) << sent << ", ";
}

// What a row of a link or of pairs says before the columns of the entry.
void append_link_columns(SqlText& sql, Node const& node) {
    Link const& link = *node.link;
    append_place(sql, node);
    if (node.source == Source::pairs) {
        sql.column(link_alias(link), link.target_column) << sent;
        return;
    }
    append_entry_id(sql, node);
    sql << sent;
    append_columns(sql, node);
}

// Sort keys, then the link order, then the id: total, so that no two reads differ.
void append_link_order(SqlText& sql, Node const& node, Aliases& aliases) {
    Link const& link = *node.link;
    append_sort(sql, node, aliases);
    if (!link.order_column.empty()) {
        sql.column(link_alias(link), link.order_column);
        append_direction(sql, node.reverse);
        sql << ", ";
    }
    // Of pairs, ids of different types say nothing of their order; those of the link do.
    if (node.source == Source::pairs)
        sql.column(pairs, "id");
    else
        append_entry_id(sql, node);
}

SqlText select_counts(Node const& node) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT ";
    append_place(sql, node);
    sql << "COUNT(*)" << sent;
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    sql << " GROUP BY ";
    sql.column(link_alias(*node.link), node.link->parent_column);
    return sql;
}

SqlText select_link(Node const& node) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT ";
    append_link_columns(sql, node);
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    if (!node.sort.empty() || node.source == Source::pairs) {
        sql << " ORDER BY ";
        append_link_order(sql, node, aliases);
    }
    return sql;
}

// With start or limit for each parent: rows are numbered on narrow rows, the wide ones joined
// after. The joined table keeps the alias of the entries, and the numbered rows take that of the
// link.
SqlText select_link_window(Node const& node) {
    Link const& link = *node.link;
    unsigned const alias = link_alias(link);
    std::uint64_t const start = node.start.value_or(0);
    SqlText sql;
    Aliases aliases;
    auto const place = place_columns(node);
    sql << "SELECT t1.`parent`" << sent << ", ";
    for (auto const& [column, name] : place)
        sql << "t1." << name << sent << ", ";
    sql << "t1.`target`" << sent;
    append_columns(sql, node);
    sql << " FROM (SELECT ";
    sql.column(alias, link.parent_column) << " AS `parent`, ";
    for (auto const& [column, name] : place)
        sql.column(alias, column) << " AS " << name << ", ";
    append_entry_id(sql, node);
    sql << " AS `target`, ROW_NUMBER() OVER (PARTITION BY ";
    sql.column(alias, link.parent_column) << " ORDER BY ";
    append_link_order(sql, node, aliases);
    sql << ") AS `number`";
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    sql << ") t1";
    if (!node.columns.empty() || !node.keys.empty()) {
        sql << " JOIN ";
        sql.name(node.type->table) << " t0 ON t0.`id` = t1.`target`";
    }
    sql << " WHERE t1.`number` > ";
    sql.integer(start);
    if (node.limit) {
        sql << " AND t1.`number` <= ";
        sql.integer(start + *node.limit);
    }
    sql << " ORDER BY t1.`parent`, t1.`number`";
    return sql;
}

SqlText select_target(Node const& node) {
    SqlText sql;
    Aliases aliases;
    (sql << "SELECT ").column(entries, "id") << sent;
    append_columns(sql, node);
    sql << " FROM ";
    sql.name(node.type->table) << " t0 WHERE ";
    sql.column(entries, "id");
    append_ids(sql);
    append_and(sql, node.where, entries, aliases);
    return sql;
}

void append_root_from(SqlText& sql, Node const& root, Aliases& aliases) {
    sql << " FROM ";
    sql.name(root.type->table) << " t0";
    if (root.where.always_true()) return;
    sql << " WHERE ";
    append_condition(sql, root.where, entries, aliases);
}

SqlText select_root(Node const& root) {
    SqlText sql;
    Aliases aliases;
    (sql << "SELECT ").column(entries, "id") << sent;
    append_columns(sql, root);
    append_root_from(sql, root, aliases);
    sql << " ORDER BY ";
    append_sort(sql, root, aliases);
    sql.column(entries, "id");
    append_window(sql, root);
    return sql;
}

SqlText select_total(Node const& root) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT COUNT(*)";
    append_root_from(sql, root, aliases);
    return sql;
}

SqlText select_node(Node const& node) {
    if (node.source == Source::root) return select_root(node);
    if (node.source == Source::pairs && node.link->place == Link::Place::parent_column) return {};
    if (node.source == Source::target) return select_target(node);
    if (node.count) return select_counts(node);
    if (node.start || node.limit) return select_link_window(node);
    return select_link(node);
}

} // namespace

Statements write_statements(ReadPlan const& plan) {
    Statements statements;
    for (Node const& node : plan.nodes)
        statements.nodes.push_back(select_node(node));
    statements.total = select_total(plan.nodes[0]);
    return statements;
}

} // namespace db
