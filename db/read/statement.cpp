#include "db/read/statement.hpp"

#include <boost/container/static_vector.hpp>

#include <string>
#include <utility>

namespace db {

namespace {

bool in_own_table(Link const& link) {
    return link.storage == Link::Storage::table;
}

// Returns the alias of the table that holds the link's columns.
unsigned link_alias(Link const& link) {
    return in_own_table(link) ? pairs : entries;
}

// A column that says where a row of a link belongs.
struct PlaceColumn {
    std::string_view column; // of the link
    std::string_view name;   // in the rows of a window
    RowLayout::Column RowLayout::* meaning;
};

using PlaceColumns = boost::container::static_vector<PlaceColumn, 4>;

PlaceColumns place_columns(Node const& node) {
    Link const& link = *node.link;
    PlaceColumns columns{{link.parent_column, "parent", &RowLayout::parent}};
    if (!link.order_column.empty() && !node.count)
        columns.push_back({link.order_column, "order", &RowLayout::order});
    if (node.slots.size() > 1) columns.push_back({link.field_column, "slot", &RowLayout::slot});
    if (node.source == RowSource::pairs && !link.target_type_column.empty())
        columns.push_back({link.target_type_column, "type", &RowLayout::type});
    return columns;
}

void send_place(Select& select, Node const& node) {
    for (auto const& [column, name, meaning] : place_columns(node))
        select.layout.*meaning = select.send(link_alias(*node.link), column);
}

// Restricts the rows of a link to those of some parents, and to the slots of the node.
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

// Returns whether the table of the entries has to be read. It does not if only ids are asked for,
// which the link has.
bool reads_entries(Node const& node) {
    if (!node.type) return false;
    return !vouches_for(*node.link, *node.type) || !node.columns.empty() || !node.keys.empty() ||
           !node.sort.empty() || !node.where.always_true();
}

// Returns whether links that lead to no entry are read, too. No foreign key of Strapi's leads to a
// component, so that a link to one may be there before it.
bool reads_missing(Node const& node) {
    return in_own_table(*node.link) && node.type &&
           node.type->kind == ContentType::Kind::component && node.where.always_true() &&
           node.sort.empty() && !node.start && !node.limit && !node.count;
}

// Returns the table and the column that have the ids of the entries.
std::pair<unsigned, std::string_view> entry_id(Node const& node) {
    if (reads_entries(node)) return {entries, "id"};
    return {link_alias(*node.link), node.link->target_column};
}

void append_id(SqlText& sql, Node const& node) {
    auto const [table, column] = entry_id(node);
    sql.column(table, column);
}

void append_link_from(SqlText& sql, Node const& node) {
    Link const& link = *node.link;
    sql << " FROM ";
    if (in_own_table(link)) {
        sql.table(link.table) << " ";
        sql.alias(pairs);
        if (!reads_entries(node)) return;
        sql << (reads_missing(node) ? SqlPiece(" LEFT JOIN ") : SqlPiece(" JOIN "));
    }
    sql.table(node.type->table) << " ";
    sql.alias(entries);
    if (in_own_table(link)) {
        sql << " ON ";
        sql.column(entries, link.entry_column) << " = ";
        sql.column(pairs, link.target_column);
    }
}

// Appends the link order, then the id. This order is total, so no two reads differ.
void append_link_order(SqlText& sql, Node const& node) {
    Link const& link = *node.link;
    if (!link.order_column.empty()) {
        sql.column(link_alias(link), link.order_column);
        append_direction(sql, node.reverse);
        sql << ", ";
    }
    // In pairs, ids of different types say nothing of their order; those of the link do.
    if (node.source == RowSource::pairs)
        sql.column(pairs, "id");
    else
        append_id(sql, node);
}

// Appends the columns that say where the rows of a window belong, named by their meanings.
void append_place(SqlText& sql, Node const& node) {
    for (auto const& [column, name, meaning] : place_columns(node)) {
        sql.column(link_alias(*node.link), column) << " AS ";
        sql.name(name) << ", ";
    }
}

// Appends the narrow rows of a window: where they belong, the entry, and a number among those of
// the parent.
void append_numbered(SqlText& sql, Node const& node) {
    Aliases aliases;
    sql << "SELECT ";
    append_place(sql, node);
    append_id(sql, node);
    sql << " AS `target`, ROW_NUMBER() OVER (PARTITION BY ";
    sql.column(link_alias(*node.link), node.link->parent_column) << " ORDER BY ";
    append_sort(sql, node, aliases);
    append_link_order(sql, node);
    sql << ") AS `number`";
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
}

std::string key_name(std::size_t number) {
    return "key" + std::to_string(number);
}

// Returns the SELECT of the narrow rows of one parent: where they belong, the keys that they are
// sorted by, the entry.
SqlText branch_of(Node const& node) {
    SqlText sql;
    Aliases aliases;
    sql << "(SELECT ";
    append_place(sql, node);
    for (std::size_t i = 0; i < node.sort.size(); ++i) {
        append_sort_key(sql, node.sort[i], entries, aliases);
        sql << " AS ";
        sql.name(key_name(i)) << ", ";
    }
    append_id(sql, node);
    sql << " AS `target`";
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    sql << " ORDER BY ";
    for (std::size_t i = 0; i < node.sort.size(); ++i) {
        sql.name(key_name(i));
        append_direction(sql, node.sort[i].descending);
        sql << ", ";
    }
    append_link_order(sql, node);
    append_limit(sql, node);
    sql << ")";
    return sql;
}

// Begins the statement of a window: the columns that are sent, up to the subquery with its rows.
void begin_window(Select& select, Node const& node) {
    auto& [sql, layout, aliases, columns] = select;
    for (auto const& [column, name, meaning] : place_columns(node))
        layout.*meaning = select.send(pairs, name);
    layout.id = select.send(pairs, "target");
    select.send_cells(node);
    layout.sorted = true;
    sql << " FROM (";
}

// Goes on behind that subquery.
void join_cells(Select& select, Node const& node) {
    select.sql << ") t1";
    if (select.layout.width == 0) return;
    select.sql << " JOIN ";
    select.sql.table(node.type->table) << " t0 ON t0.`id` = t1.`target`";
}

} // namespace

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

SqlText count_links(Node const& node) {
    SqlText sql("SELECT COUNT(*) FROM ");
    Link const& link = *node.link;
    sql.table(in_own_table(link) ? link.table : node.type->table) << " ";
    sql.alias(link_alias(link));
    append_link_where(sql, node);
    return sql;
}

Statement select_counts(Node const& node) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    send_place(select, node);
    layout.id = select.send_count();
    layout.sorted = true;
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    sql << " GROUP BY ";
    sql.column(link_alias(*node.link), node.link->parent_column);
    return select.finished();
}

bool has_difference(Node const& node) {
    return node.source == RowSource::link && node.count && in_own_table(*node.link) &&
           node.slots.size() == 1 && vouches_for(*node.link, *node.type) &&
           !node.where.always_true();
}

SqlText select_difference(Node const& node) {
    Link const& link = *node.link;
    SqlText sql;
    Aliases aliases;
    auto const begin_counts = [&] {
        sql << "(SELECT ";
        sql.column(pairs, link.parent_column) << " AS `parent`, COUNT(*) AS `number` FROM ";
    };
    auto const end_counts = [&](SqlPiece name) {
        sql << " GROUP BY ";
        sql.column(pairs, link.parent_column) << ")" << name;
    };
    sql << "SELECT found.`parent`, found.`number` - COALESCE(failed.`number`, 0) FROM ";
    begin_counts();
    sql.table(link.table) << " t1";
    append_link_where(sql, node);
    end_counts(" found LEFT JOIN ");
    begin_counts();
    sql.table(node.type->table) << " t0 STRAIGHT_JOIN ";
    sql.table(link.table) << " t1 ON ";
    sql.column(pairs, link.target_column) << " = t0.`id` WHERE (";
    append_condition(sql, node.where, entries, aliases);
    sql << ") IS NOT TRUE";
    append_link_scope(sql, link, pairs);
    end_counts(" failed ON failed.`parent` = found.`parent`");
    return sql << " WHERE found.`number` > COALESCE(failed.`number`, 0)";
}

Statement select_link(Node const& node) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    send_place(select, node);
    auto const [table, id] = entry_id(node);
    layout.id = select.send(table, id);
    select.send_cells(node);
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
    layout.sorted = !node.sort.empty() || node.source == RowSource::pairs;
    layout.has_missing = reads_missing(node);
    if (layout.sorted) {
        sql << " ORDER BY ";
        append_sort(sql, node, aliases);
        append_link_order(sql, node);
    }
    return select.finished();
}

Statement select_window(Node const& node) {
    Select select;
    auto& sql = select.sql;
    begin_window(select, node);
    append_numbered(sql, node);
    join_cells(select, node);
    std::uint64_t const start = node.start.value_or(0);
    sql << " WHERE t1.`number` > ";
    sql.integer(start);
    if (node.limit) {
        sql << " AND t1.`number` <= ";
        sql.integer(start + *node.limit);
    }
    sql << " ORDER BY t1.`parent`, t1.`number`";
    return select.finished();
}

SqlText select_branches(Node const& node) {
    Select select;
    auto& sql = select.sql;
    begin_window(select, node);
    Node narrow = node; // needs no columns of the entries' table
    narrow.columns.clear();
    narrow.keys.clear();
    sql.for_each_id(branch_of(narrow));
    join_cells(select, node);
    sql << " ORDER BY t1.`parent`";
    for (std::size_t i = 0; i < node.sort.size(); ++i) {
        sql << ", ";
        sql.column(pairs, key_name(i));
        append_direction(sql, node.sort[i].descending);
    }
    if (select.layout.order) {
        sql << ", t1.`order`";
        append_direction(sql, node.reverse);
    }
    sql << ", t1.`target`";
    return std::move(sql);
}

} // namespace db
