#include "db/read/result_tree.hpp"

#include "db/mysql/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace db {

namespace {

// NULL orders before every number, as in SQL.
constexpr double order_of_null = -std::numeric_limits<double>::infinity();

// Marks rows of types that were not asked for; they are dropped.
constexpr std::uint32_t no_target = UINT32_MAX;

// Returns the number in a cell, or `of_null`.
template<class Number>
Number number_in(std::string_view cell, Number of_null) {
    std::from_chars(cell.data(), cell.data() + cell.size(), of_null);
    return of_null;
}

} // namespace

void Rows::arrange(bool reverse, bool sorted) {
    auto const group = [](Row const& row) { return std::tie(row.parent, row.slot); };
    if (sorted) {
        std::ranges::stable_sort(rows, {}, group);
        return;
    }
    std::ranges::sort(rows, [&](Row const& a, Row const& b) {
        if (group(a) != group(b)) return group(a) < group(b);
        if (a.order != b.order) return reverse ? a.order > b.order : a.order < b.order;
        return std::tie(a.target, a.id) < std::tie(b.target, b.id);
    });
    auto const repeated = std::ranges::unique(rows, [&](Row const& a, Row const& b) {
        return group(a) == group(b) && a.order == b.order && a.target == b.target && a.id == b.id;
    });
    rows.erase(repeated.begin(), repeated.end());
}

std::span<Row const> Rows::of(std::uint64_t parent, std::uint32_t slot) const {
    auto const found =
        std::ranges::equal_range(rows, std::tuple(parent, slot), {},
                                 [](Row const& row) { return std::tuple(row.parent, row.slot); });
    return {found.begin(), found.end()};
}

ResultBuilder::ResultBuilder(SelectedPlan const& plan, parser::Limits const& limits,
                             parser::MemoryShare& memory)
    : plan_(plan), limits_(limits), result_(memory), entries_(&memory) {
    for (Statement const& statement : plan.statements.nodes)
        result_.nodes.push_back({.rows = std::pmr::vector<Row>(&memory),
                                 .cells = std::pmr::vector<std::string_view>(&memory),
                                 .width = statement.layout.width});
}

std::vector<std::uint64_t> ResultBuilder::parent_ids(std::uint32_t index) const {
    Node const& node = plan_.nodes[index];
    Node const& parent = plan_.nodes[node.parent];
    std::vector<std::uint64_t> ids;
    ids.reserve(result_.nodes[node.parent].rows.size());
    for (Row const& row : result_.nodes[node.parent].rows)
        if (node.source != RowSource::target || parent.targets[row.target] == index)
            ids.push_back(row.id);
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    return ids;
}

std::uint32_t ResultBuilder::target_of(Node const& node, std::string_view uid) {
    for (std::uint32_t i = 0; i < node.targets.size(); ++i)
        if (plan_.nodes[node.targets[i]].type->uid == uid) return i;
    if (node.of_any_part && !result_.unlisted.contains(uid)) result_.unlisted.emplace(uid);
    return no_target;
}

void ResultBuilder::take_pairs_of_parents() {
    Node const& node = plan_.nodes[node_];
    Rows const& parents = result_.nodes[node.parent];
    for (Row const& parent : parents.rows) {
        auto const* cells = parents.cells_of(parent);
        if (!cells[layout().id].data()) continue;
        Row row{.id = number_in(cells[layout().id], std::uint64_t{0}), .parent = parent.id};
        if (layout().type) row.target = target_of(node, cells[*layout().type]);
        if (row.target != no_target) result_.nodes[node_].rows.push_back(row);
    }
}

Row ResultBuilder::place_of_row(Cells& cells) {
    Node const& node = plan_.nodes[node_];
    Row row;
    if (layout().parent) row.parent = cells.id(*layout().parent);
    if (layout().order) row.order = number_in(cells.text(*layout().order), order_of_null);
    if (layout().slot) {
        auto const field = cells.text(*layout().slot);
        for (std::uint32_t slot = 0; slot < node.slots.size(); ++slot)
            if (node.slots[slot]->link.field == field) row.slot = slot;
    }
    if (layout().type) row.target = target_of(node, cells.text(*layout().type));
    row.id = cells.id(layout().id);
    if (!layout().parent) row.parent = row.id;
    return row;
}

void ResultBuilder::reserve(std::uint64_t more) {
    Rows& rows = result_.nodes[node_];
    rows.rows.reserve(rows.rows.size() + more);
    rows.cells.reserve(rows.cells.size() + more * rows.width);
}

parser::Result<void> ResultBuilder::take(Cells& cells) {
    Rows& rows = result_.nodes[node_];
    if (++rows_ > limits_.rows) return parser::over_limit(limits_, &parser::Limits::rows);
    if (total_column_) result_.total = cells.id(*std::exchange(total_column_, std::nullopt));
    if (layout().has_missing && !cells.text(layout().id).data()) {
        rows.had_missing = true;
        return {};
    }
    Row row = place_of_row(cells);
    if (row.target == no_target) return {};
    auto const [known, is_new] = entries_.try_emplace(row.id, rows.entries);
    row.entry = known->second;
    rows.rows.push_back(row);
    if (!is_new) return {};
    ++rows.entries;
    return take_cells(cells, layout().cells, rows);
}

parser::Result<void> ResultBuilder::take_cells(Cells& cells, unsigned column, Rows& rows) {
    for (std::size_t i = 0; i < rows.width; ++i) {
        rows.cells.push_back(cells.copy(column++, *result_.text));
        result_.text_bytes += rows.cells.back().size();
    }
    if (result_.text_bytes > limits_.response)
        return parser::over_limit(limits_, &parser::Limits::response);
    return {};
}

void ResultBuilder::end(std::uint32_t index) {
    Node const& node = plan_.nodes[index];
    Rows& rows = result_.nodes[index];
    if (node.without_parents) {
        auto const ids = parent_ids(index);
        std::erase_if(rows.rows,
                      [&](Row const& row) { return std::ranges::binary_search(ids, row.id); });
    }
    rows.arrange(node.reverse, plan_.statements.nodes[index].layout.sorted);
}

} // namespace db
