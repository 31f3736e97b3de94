#include "db/select/select.hpp"

#include "db/plan/estimate.hpp"
#include "db/select/cell_size.hpp"
#include "db/select/condition_sql.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <string_view>

namespace db {

using Source = Node::Source;

namespace {

constexpr unsigned entries = 0;
constexpr unsigned pairs = 1;

// A statement under construction.
struct Select {
    SqlText sql = SqlPiece("SELECT ");
    RowLayout layout = {};
    Aliases aliases = {};
    std::uint32_t columns = 0; // that are sent

    // One more column; its number. All have the same name: they are read by their place, but
    // Connector/C++ makes a map of the names for each result, and with names of their own that took
    // a fifth of the instructions for an entry with ten relations.
    std::uint32_t send(unsigned table, std::string_view column,
                       std::optional<std::uint32_t> bytes = longest_key) {
        layout.row_bytes =
            layout.row_bytes && bytes ? std::optional(*layout.row_bytes + *bytes) : std::nullopt;
        if (columns > 0) sql << ", ";
        sql.column(table, column) << " c";
        return columns++;
    }
    std::uint32_t send_count() {
        sql << ", COUNT(*) c";
        return columns++;
    }

    // What is answered of the entries, and what branches need of them.
    void send_cells(Node const& node) {
        layout.cells = columns;
        for (Attribute const* attribute : node.columns)
            send(entries, attribute->column, most_bytes(*attribute));
        for (std::string const& key : node.keys)
            send(entries, key);
        layout.width = columns - layout.cells;
    }

    Statement finished() { return {std::move(sql), layout}; }
};

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
    if (node.source == Source::pairs && !link.target_type_column.empty())
        columns.push_back({link.target_type_column, "type", &RowLayout::type});
    return columns;
}

void send_place(Select& select, Node const& node) {
    for (auto const& [column, name, meaning] : place_columns(node))
        select.layout.*meaning = select.send(link_alias(*node.link), column);
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
    bool const vouched = in_own_table(*node.link) && node.link->entry_column == "id" &&
                         node.type->kind != ContentType::Kind::component;
    return !vouched || !node.columns.empty() || !node.keys.empty() || !node.sort.empty() ||
           !node.where.always_true();
}

struct Id {
    unsigned table;
    std::string_view column;
};
Id entry_id(Node const& node) {
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
        sql << " JOIN ";
    }
    sql.table(node.type->table) << " ";
    sql.alias(entries);
    if (in_own_table(link)) {
        sql << " ON ";
        sql.column(entries, link.entry_column) << " = ";
        sql.column(pairs, link.target_column);
    }
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
        append_id(sql, node);
}

// One row for each parent.
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
    layout.sorted = !node.sort.empty() || node.source == Source::pairs;
    if (layout.sorted) {
        sql << " ORDER BY ";
        append_link_order(sql, node, aliases);
    }
    return select.finished();
}

// The narrow rows of a window: where they belong, the entry, and a number among its parent's.
void append_numbered(Select& select, Node const& node) {
    auto& [sql, layout, aliases, columns] = select;
    unsigned const alias = link_alias(*node.link);
    sql << "SELECT ";
    for (auto const& [column, name, meaning] : place_columns(node)) {
        sql.column(alias, column) << " AS ";
        sql.name(name) << ", ";
    }
    append_id(sql, node);
    sql << " AS `target`, ROW_NUMBER() OVER (PARTITION BY ";
    sql.column(alias, node.link->parent_column) << " ORDER BY ";
    append_link_order(sql, node, aliases);
    sql << ") AS `number`";
    append_link_from(sql, node);
    append_link_where(sql, node);
    append_and(sql, node.where, entries, aliases);
}

// With start or limit for each parent: rows are numbered on narrow rows, the wide ones joined
// after. The joined table keeps the alias of the entries, and the numbered rows take that of the
// link.
Statement select_window(Node const& node) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    for (auto const& [column, name, meaning] : place_columns(node))
        layout.*meaning = select.send(pairs, name);
    layout.id = select.send(pairs, "target");
    select.send_cells(node);
    sql << " FROM (";
    append_numbered(select, node);
    sql << ") t1";
    if (layout.width > 0) {
        sql << " JOIN ";
        sql.table(node.type->table) << " t0 ON t0.`id` = t1.`target`";
    }
    std::uint64_t const start = node.start.value_or(0);
    sql << " WHERE t1.`number` > ";
    sql.integer(start);
    if (node.limit) {
        sql << " AND t1.`number` <= ";
        sql.integer(start + *node.limit);
    }
    sql << " ORDER BY t1.`parent`, t1.`number`";
    layout.sorted = true;
    return select.finished();
}

Statement select_target(Node const& node) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    layout.id = select.send(entries, "id");
    select.send_cells(node);
    sql << " FROM ";
    sql.table(node.type->table) << " t0 WHERE ";
    sql.column(entries, "id");
    append_ids(sql);
    append_and(sql, node.where, entries, aliases);
    return select.finished();
}

// Pairs that the parent's own rows hold: createdBy, and polymorphic relations to one.
Statement select_pairs_of_parent(Node const& node, Node const& parent) {
    auto const cell = [&](std::string const& key) {
        auto const found = std::ranges::find(parent.keys, key) - parent.keys.begin();
        return static_cast<std::uint32_t>(parent.columns.size()) +
               static_cast<std::uint32_t>(found);
    };
    RowLayout layout{.id = cell(node.link->target_column), .sorted = true};
    if (!node.link->target_type_column.empty()) layout.type = cell(node.link->target_type_column);
    return {.sql = {}, .layout = layout};
}

void append_root_from(SqlText& sql, Node const& root, Aliases& aliases) {
    sql << " FROM ";
    sql.table(root.type->table) << " t0";
    if (root.where.always_true()) return;
    sql << " WHERE ";
    append_condition(sql, root.where, entries, aliases);
}

Statement select_root(Node const& root) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    layout.id = select.send(entries, "id");
    layout.sorted = true;
    select.send_cells(root);
    sql.place_of_total();
    append_root_from(sql, root, aliases);
    sql << " ORDER BY ";
    append_sort(sql, root, aliases);
    sql.column(entries, "id");
    append_window(sql, root);
    return select.finished();
}

SqlText select_total(Node const& root) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT COUNT(*)";
    append_root_from(sql, root, aliases);
    return sql;
}

Statement select_node(ReadPlan const& plan, Node const& node) {
    switch (node.source) {
    case Source::root:
        return select_root(node);
    case Source::target:
        return select_target(node);
    case Source::pairs:
        if (node.link->place == Link::Place::parent_column)
            return select_pairs_of_parent(node, plan.nodes[node.parent]);
        break;
    case Source::link:
        break;
    }
    if (node.count && node.source == Source::link) return select_counts(node);
    if (node.start || node.limit) return select_window(node);
    return select_link(node);
}

std::uint64_t shape_of(Statements const& statements) {
    auto shape = statements.total.shape();
    for (Statement const& statement : statements.nodes)
        shape = statement.sql.shape(shape);
    return shape;
}

TableNames tables_of(Statements const& statements) {
    TableNames names;
    names.reserve(statements.nodes.size() + 1);
    statements.total.add_tables_to(names);
    for (Statement const& statement : statements.nodes)
        statement.sql.add_tables_to(names);
    return names;
}

} // namespace

SelectedPlan select(ReadPlan plan) {
    Statements statements;
    statements.nodes.reserve(plan.nodes.size());
    for (Node const& node : plan.nodes)
        statements.nodes.push_back(select_node(plan, node));
    statements.total = select_total(plan.nodes[0]);
    auto const shape = shape_of(statements);
    auto tables = tables_of(statements);
    bool const dear = looks_dear(plan);
    return {std::move(plan), std::move(statements), std::move(tables), shape, dear};
}

} // namespace db
