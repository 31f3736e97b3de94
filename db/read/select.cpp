#include "db/read/select.hpp"

#include "db/plan/read_plan.hpp"
#include "db/read/statement.hpp"

#include <algorithm>

namespace db {

namespace {

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

// The parent's own rows hold these pairs: createdBy, and polymorphic relations to one.
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

// Appends the same so that the server reads an index that has the order and all columns of the
// condition. By itself it takes the primary key, and with it all of each row, or an index that
// narrows the condition a little, and sorts: with 500,000 articles, page 15,000 took it 110 and 410
// ms instead of 55.
void append_ordered_from(SqlText& sql, Node const& root, Aliases& aliases) {
    sql << " FROM ";
    sql.table(root.type->table) << " t0 IGNORE INDEX FOR ORDER BY (PRIMARY)";
    if (root.where.always_true()) return;
    sql << " WHERE (";
    append_condition(sql, root.where, entries, aliases);
    sql << ") IS TRUE";
}

Statement select_root(Node const& root, Form form = Form::usual) {
    Select select;
    select.aliases = Aliases(form);
    auto& [sql, layout, aliases, columns] = select;
    layout.id = select.send(entries, "id");
    layout.sorted = true;
    select.send_cells(root);
    sql.place_of_total();
    append_root_from(sql, root, aliases);
    sql << " ORDER BY ";
    append_sort(sql, root, aliases);
    sql.column(entries, "id");
    append_limit(sql, root);
    return select.finished();
}

SqlText select_root_late(Node const& root) {
    Select select;
    auto& [sql, layout, aliases, columns] = select;
    select.send(entries, "id");
    select.send_cells(root);
    sql << " FROM (SELECT t0.`id`";
    append_ordered_from(sql, root, aliases);
    sql << " ORDER BY ";
    append_sort(sql, root, aliases);
    sql << "t0.`id`";
    append_limit(sql, root);
    sql << ") t1 JOIN ";
    sql.table(root.type->table) << " t0 ON t0.`id` = t1.`id` ORDER BY ";
    append_sort(sql, root, aliases);
    sql << "t0.`id`";
    return std::move(sql);
}

SqlText select_usual_total(Node const& root) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT COUNT(*)";
    append_root_from(sql, root, aliases);
    return sql;
}

SqlText select_joined_total(Node const& root) {
    SqlText sql;
    Aliases aliases;
    sql << "SELECT COUNT(DISTINCT t0.`id`) FROM ";
    sql.table(root.type->table) << " t0";
    ConditionsOfTables left;
    append_joins(sql, root.where, entries, aliases, left);
    sql << " WHERE TRUE";
    for (auto const& [condition, table] : left)
        append_and(sql, *condition, table, aliases);
    return sql;
}

// Returns which member of the root's condition says that a column is not NULL; their number, if
// none does.
std::size_t required_value(Node const& root) {
    auto const found = std::ranges::find_if(root.where.members, [](Condition const& member) {
        return member.kind == ConditionKind::comparison &&
               member.comparator == Comparator::is_not_null;
    });
    return static_cast<std::size_t>(found - root.where.members.begin());
}

SqlText select_total_of_values(Node root) {
    auto const required = root.where.members.begin() + required_value(root);
    SqlText sql;
    Aliases aliases;
    sql << "SELECT COUNT(";
    sql.column(entries, required->column) << ")";
    root.where.members.erase(required);
    append_root_from(sql, root, aliases);
    return sql;
}

Statement usual_statement(ReadPlan const& plan, Node const& node) {
    switch (node.source) {
    case RowSource::root:
        return select_root(node);
    case RowSource::target:
        return select_target(node);
    case RowSource::pairs:
        if (node.link->storage == Link::Storage::parent_column)
            return select_pairs_of_parent(node, plan.nodes[node.parent]);
        break;
    case RowSource::link:
        break;
    }
    if (node.count && node.source == RowSource::link) return select_counts(node);
    if (node.start || node.limit) return select_window(node);
    return select_link(node);
}

std::uint64_t shape_of(PlanStatements const& statements) {
    auto shape = statements.total.shape();
    for (Statement const& statement : statements.nodes)
        shape = statement.sql.shape(shape);
    return shape;
}

TableNames tables_of(PlanStatements const& statements) {
    TableNames names;
    names.reserve(statements.nodes.size() + 1);
    statements.total.add_tables_to(names);
    for (Statement const& statement : statements.nodes)
        statement.sql.add_tables_to(names);
    return names;
}

bool goes_through_relations(Condition const& condition) {
    return condition.kind == ConditionKind::related ||
           std::ranges::any_of(condition.members, goes_through_relations);
}

// Returns whether the server may come to the page faster along an index: one that begins the list
// in the order of the ids needs none.
bool may_need_order(Node const& root) {
    return !sorts_by_relations(root) && (root.start.value_or(0) > 0 || !root.sort.empty());
}

Form other_form(Node const& node) {
    if (has_difference(node)) return Form::difference;
    if (node.count || !node.limit) return Form::usual;
    switch (node.source) {
    case RowSource::root:
        if (goes_through_relations(node.where)) return Form::probe;
        return may_need_order(node) ? Form::late_rows : Form::usual;
    case RowSource::link:
        return Form::branches;
    case RowSource::pairs:
    case RowSource::target:
        break;
    }
    return Form::usual;
}

Form other_form_of_total(Node const& root) {
    if (root.where.kind != ConditionKind::all_of) return Form::usual;
    if (std::ranges::any_of(root.where.members, is_joinable)) return Form::joined;
    return required_value(root) < root.where.members.size() ? Form::values : Form::usual;
}

constexpr std::uint32_t longest_number = 72; // or time, or boolean
constexpr std::uint32_t longest_character = 4;

std::optional<std::uint32_t> most_bytes(ColumnType const& column) {
    using enum ColumnType::SqlType;
    switch (column.kind) {
    case varchar:
        return column.size * longest_character;
    case unknown:
    case text:
    case mediumtext:
    case longtext:
    case json:
        return std::nullopt;
    case integer:
    case biginteger:
    case floating:
    case double_floating:
    case decimal:
    case boolean:
    case date:
    case time:
    case datetime:
    case timestamp:
        break;
    }
    return longest_number;
}

std::string_view name_of(RowSource source) {
    switch (source) {
    case RowSource::root:
        return "root";
    case RowSource::link:
        return "link";
    case RowSource::pairs:
        return "pairs";
    case RowSource::target:
        break;
    }
    return "target";
}

void append_names(std::string& out, Node const& node) {
    for (std::size_t i = 0; i < node.slots.size(); ++i)
        out.append(i == 0 ? " " : ",").append(node.slots[i]->name);
    if (node.type) out.append(" ").append(node.type->uid);
}

void append_node(std::string& out, ReadPlan const& plan, std::uint32_t index, unsigned depth) {
    Node const& node = plan.nodes[index];
    out.append("node ").append(std::to_string(index)).append(1 + 2 * depth, ' ');
    out.append(name_of(node.source));
    append_names(out, node);
    if (!node.columns.empty()) out += " fields";
    for (std::size_t i = 0; i < node.columns.size(); ++i)
        out.append(i == 0 ? " " : ",").append(node.columns[i]->name);
    if (!node.where.always_true()) {
        SqlText where;
        Aliases aliases;
        append_condition(where, node.where, 0, aliases);
        out.append(" where ").append(where.str());
    }
    for (SortColumn const& sort : node.sort)
        out.append(" sort ").append(sort.column).append(sort.descending ? " desc" : "");
    if (node.start) out.append(" start ").append(std::to_string(*node.start));
    if (node.limit) out.append(" limit ").append(std::to_string(*node.limit));
    if (node.count) out += " count";
    out += '\n';
    for (std::uint32_t below = index + 1; below < plan.nodes.size(); ++below)
        if (plan.nodes[below].parent == index) append_node(out, plan, below, depth + 1);
}

} // namespace

bool sorts_by_relations(Node const& node) {
    return std::ranges::any_of(node.sort, [](SortColumn const& key) { return !key.hops.empty(); });
}

SqlText select_total(ReadPlan const& plan, Form form) {
    Node const& root = plan.nodes[0];
    if (form == Form::joined) return select_joined_total(root);
    return form == Form::values ? select_total_of_values(root) : select_usual_total(root);
}

SqlText select_node(ReadPlan const& plan, std::uint32_t index, Form form) {
    Node const& node = plan.nodes[index];
    switch (form) {
    case Form::probe:
        return select_root(node, form).sql;
    case Form::branches:
        return select_branches(node);
    case Form::late_rows:
        return select_root_late(node);
    case Form::difference:
        return select_difference(node);
    case Form::joined: // of the total, as `values`
    case Form::values:
    case Form::usual:
        break;
    }
    return usual_statement(plan, node).sql;
}

SelectedPlan select(ReadPlan plan) {
    PlanStatements statements;
    statements.nodes.reserve(plan.nodes.size());
    for (Node const& node : plan.nodes)
        statements.nodes.emplace_back(usual_statement(plan, node)).other_form = other_form(node);
    statements.total = select_usual_total(plan.nodes[0]);
    statements.other_total = other_form_of_total(plan.nodes[0]);
    auto const shape = shape_of(statements);
    auto tables = tables_of(statements);
    bool const expensive = looks_expensive(plan);
    return {std::move(plan), std::move(statements), std::move(tables), shape, expensive};
}

std::optional<std::uint32_t> most_bytes(Attribute const& attribute) {
    // A custom field's column may be that of its type, which was read from the database, or the
    // declared one.
    auto const of_type = most_bytes(facts_of(attribute.type).column);
    auto const declared = most_bytes(attribute.column_type);
    return of_type && declared ? std::max(of_type, declared) : std::nullopt;
}

std::string dump(ReadPlan const& plan) {
    std::string out;
    append_node(out, plan, 0, 0);
    return out;
}

} // namespace db
