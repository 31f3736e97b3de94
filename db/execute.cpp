#include "db/execute.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace db {

using parser::Error;
using Source = Node::Source;

namespace {

// MariaDB turns IN lists of 1,000 values and more into a derived table.
constexpr std::size_t longest_in_list = 900;

// NULL orders before every number, as in SQL.
constexpr double order_of_null = -std::numeric_limits<double>::infinity();

// Of rows of types that were not asked for; they are dropped.
constexpr std::uint32_t no_target = UINT32_MAX;

// The number in a cell, or `of_null`.
template<class Number>
Number number_in(std::string_view cell, Number of_null) {
    std::from_chars(cell.data(), cell.data() + cell.size(), of_null);
    return of_null;
}

class Execution {
  public:
    Execution(SelectedPlan const& plan, Connection& connection, ExecuteOptions const& options,
              std::vector<SentStatement>& sent)
        : plan_(plan), connection_(connection), options_(options), sent_(sent) {
        for (Statement const& statement : plan.statements.nodes)
            result_.nodes.push_back({.width = statement.layout.width});
    }

    parser::Result<ResultTree> run();

  private:
    parser::Result<void> read_root();
    parser::Result<void> read_total();
    parser::Result<void> count_root();
    parser::Result<void> read_node(std::uint32_t index);
    parser::Result<Cursor> send(SqlText const& sql, std::optional<std::uint32_t> node);
    Error past_deadline(std::string cause) const {
        return parser::timed_out(options_.limits, &parser::Limits::request, std::move(cause));
    }
    parser::Result<void> take_rows(std::uint32_t index, Cursor& cursor);
    Row take_row(Node const& node, RowLayout const& layout, Cursor& cursor) const;
    parser::Result<void> take_cells(Cursor& cursor, unsigned column, Rows& rows);

    std::vector<std::uint64_t> parent_ids(std::uint32_t index) const;
    void take_pairs_of_parents(std::uint32_t index);
    void arrange(std::uint32_t index);
    std::uint32_t target_of(Node const& pairs, std::string_view uid) const;

    SelectedPlan const& plan_;
    Connection& connection_;
    ExecuteOptions const& options_;
    std::vector<SentStatement>& sent_;
    ResultTree result_;
    std::size_t rows_ = 0;
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> entries_; // of the node, by id
};

parser::Result<ResultTree> Execution::run() {
    if (auto done = read_root(); !done) return done.error();
    for (std::uint32_t index = 1; index < plan_.nodes.size(); ++index)
        if (auto done = read_node(index); !done) return done.error();
    return std::move(result_);
}

parser::Result<Cursor> Execution::send(SqlText const& sql, std::optional<std::uint32_t> node) {
    auto const& deadline = options_.deadline;
    if (deadline.is_abandoned()) return parser::unavailable("the client is gone");
    if (deadline.has_passed()) return past_deadline("between statements");
    auto const start = std::chrono::steady_clock::now();
    auto cursor = connection_.query(sql, deadline);
    auto const took = std::chrono::steady_clock::now() - start;
    sent_.push_back({.node = node, .rows = cursor ? cursor->rows() : 0, .duration = took});
    if (options_.keep_sql) sent_.back().sql = sql.str();
    if (cursor) return cursor;
    // The server ended it before its own time, since the request had no more.
    bool const was_hurried =
        cursor.error().kind == parser::ErrorKind::timed_out && took < options_.limits.statement;
    if (was_hurried || deadline.has_passed()) return past_deadline(cursor.error().cause);
    return cursor;
}

parser::Result<void> Execution::read_root() {
    if (plan_.outcome == ReadPlan::Outcome::number) return count_root();
    auto cursor = send(plan_.statements.nodes[0].sql, 0);
    if (!cursor) return cursor.error();
    if (auto taken = take_rows(0, *cursor); !taken) return taken;
    if (plan_.outcome == ReadPlan::Outcome::list && plan_.page.counted) return read_total();
    return {};
}

// A page that is not full ends the list, so it tells the total; unless it lies past the end.
parser::Result<void> Execution::read_total() {
    Page const& page = plan_.page;
    std::size_t const count = result_.nodes[0].rows.size();
    bool const is_last = !page.limit || count < *page.limit;
    if (is_last && (count > 0 || page.start == 0)) {
        result_.total = page.start + count;
        return {};
    }
    return count_root();
}

parser::Result<void> Execution::count_root() {
    auto cursor = send(plan_.statements.total, std::nullopt);
    if (!cursor) return cursor.error();
    result_.total = cursor->next() ? cursor->id(0) : 0;
    return {};
}

parser::Result<void> Execution::read_node(std::uint32_t index) {
    SqlText const& sql = plan_.statements.nodes[index].sql;
    if (sql.empty()) {
        take_pairs_of_parents(index);
        arrange(index);
        return {};
    }
    auto const ids = parent_ids(index);
    entries_.clear();
    for (std::size_t from = 0; from < ids.size(); from += longest_in_list) {
        auto const chunk =
            std::span(ids).subspan(from, std::min(longest_in_list, ids.size() - from));
        auto cursor = send(sql.with_ids(chunk), index);
        if (!cursor) return cursor.error();
        if (auto taken = take_rows(index, *cursor); !taken) return taken;
    }
    arrange(index);
    return {};
}

// Ids to look for, each once, ascending.
std::vector<std::uint64_t> Execution::parent_ids(std::uint32_t index) const {
    Node const& node = plan_.nodes[index];
    Node const& parent = plan_.nodes[node.parent];
    std::vector<std::uint64_t> ids;
    ids.reserve(result_.nodes[node.parent].rows.size());
    for (Row const& row : result_.nodes[node.parent].rows)
        if (node.source != Source::target || parent.targets[row.target] == index)
            ids.push_back(row.id);
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    return ids;
}

std::uint32_t Execution::target_of(Node const& pairs, std::string_view uid) const {
    for (std::uint32_t i = 0; i < pairs.targets.size(); ++i)
        if (plan_.nodes[pairs.targets[i]].type->uid == uid) return i;
    return no_target;
}

void Execution::take_pairs_of_parents(std::uint32_t index) {
    Node const& node = plan_.nodes[index];
    RowLayout const& layout = plan_.statements.nodes[index].layout;
    Rows const& parents = result_.nodes[node.parent];
    for (Row const& parent : parents.rows) {
        auto const* cells = parents.cells_of(parent);
        if (!cells[layout.id].data()) continue;
        Row row{.id = number_in(cells[layout.id], std::uint64_t{0}), .parent = parent.id};
        if (layout.type) row.target = target_of(node, cells[*layout.type]);
        if (row.target != no_target) result_.nodes[index].rows.push_back(row);
    }
}

Row Execution::take_row(Node const& node, RowLayout const& layout, Cursor& cursor) const {
    Row row;
    if (layout.parent) row.parent = cursor.id(*layout.parent);
    if (layout.order) row.order = number_in(cursor.text(*layout.order), order_of_null);
    if (layout.slot) {
        auto const field = cursor.text(*layout.slot);
        for (std::uint32_t slot = 0; slot < node.slots.size(); ++slot)
            if (node.slots[slot]->link.field == field) row.slot = slot;
    }
    if (layout.type) row.target = target_of(node, cursor.text(*layout.type));
    row.id = cursor.id(layout.id);
    if (!layout.parent) row.parent = row.id;
    return row;
}

parser::Result<void> Execution::take_rows(std::uint32_t index, Cursor& cursor) {
    Node const& node = plan_.nodes[index];
    RowLayout const& layout = plan_.statements.nodes[index].layout;
    Rows& rows = result_.nodes[index];
    rows_ += cursor.rows();
    if (rows_ > options_.limits.rows)
        return parser::over_limit(options_.limits, &parser::Limits::rows);
    rows.rows.reserve(rows.rows.size() + cursor.rows());
    rows.cells.reserve(rows.cells.size() + cursor.rows() * rows.width);
    while (cursor.next()) {
        Row row = take_row(node, layout, cursor);
        if (row.target == no_target) continue;
        auto const [known, is_new] = entries_.try_emplace(row.id, rows.entries);
        row.entry = known->second;
        rows.rows.push_back(row);
        if (!is_new) continue;
        ++rows.entries;
        if (auto taken = take_cells(cursor, layout.cells, rows); !taken) return taken;
    }
    return {};
}

parser::Result<void> Execution::take_cells(Cursor& cursor, unsigned column, Rows& rows) {
    for (std::size_t i = 0; i < rows.width; ++i) {
        rows.cells.push_back(cursor.copy(column++, *result_.text));
        result_.text_bytes += rows.cells.back().size();
    }
    if (result_.text_bytes > options_.limits.response)
        return parser::over_limit(options_.limits, &parser::Limits::response);
    return {};
}

// Groups the rows by parent and slot. Inside a group they keep the order in which they came where
// SQL sorted them; otherwise it is that of the link, then of the ids. The same pair at the same
// place of the order counts once, as under Strapi's DISTINCT.
void Execution::arrange(std::uint32_t index) {
    Rows& rows = result_.nodes[index];
    auto const group = [](Row const& row) { return std::tie(row.parent, row.slot); };
    if (plan_.statements.nodes[index].layout.sorted) {
        std::ranges::stable_sort(rows.rows, {}, group);
        return;
    }
    bool const reverse = plan_.nodes[index].reverse;
    std::ranges::sort(rows.rows, [&](Row const& a, Row const& b) {
        if (group(a) != group(b)) return group(a) < group(b);
        if (a.order != b.order) return reverse ? a.order > b.order : a.order < b.order;
        return std::tie(a.target, a.id) < std::tie(b.target, b.id);
    });
    auto const repeated = std::ranges::unique(rows.rows, [&](Row const& a, Row const& b) {
        return group(a) == group(b) && a.order == b.order && a.target == b.target && a.id == b.id;
    });
    rows.rows.erase(repeated.begin(), repeated.end());
}

} // namespace

std::span<Row const> Rows::of(std::uint64_t parent, std::uint32_t slot) const {
    auto const found =
        std::ranges::equal_range(rows, std::tuple(parent, slot), {},
                                 [](Row const& row) { return std::tuple(row.parent, row.slot); });
    return {found.begin(), found.end()};
}

parser::Result<ResultTree> execute(SelectedPlan const& plan, Connection& connection,
                                   ExecuteOptions const& options,
                                   std::vector<SentStatement>& sent) {
    return Execution(plan, connection, options, sent).run();
}

} // namespace db
