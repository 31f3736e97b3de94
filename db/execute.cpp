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

std::uint64_t to_id(std::string_view text) {
    std::uint64_t id = 0;
    std::from_chars(text.data(), text.data() + text.size(), id);
    return id;
}

// NULL orders before every number, as in SQL.
double to_order(std::string_view text) {
    double order = -std::numeric_limits<double>::infinity();
    std::from_chars(text.data(), text.data() + text.size(), order);
    return order;
}

class Execution {
  public:
    Execution(ReadPlan const& plan, Connection& connection, ExecuteOptions const& options)
        : plan_(plan), connection_(connection), options_(options) {
        for (Node const& node : plan.nodes)
            result_.nodes.push_back(
                {.width = node.count ? 0 : node.columns.size() + node.keys.size()});
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
    parser::Result<void> take_rows(Node const& node, Cursor& cursor, Rows& rows);
    Row take_row(Node const& node, Cursor& cursor, unsigned& column) const;
    parser::Result<void> take_cells(Cursor& cursor, unsigned column, Rows& rows);

    std::vector<std::uint64_t> parent_ids(std::uint32_t index) const;
    void pairs_of_columns(std::uint32_t index);
    void arrange(Node const& node, Rows& rows) const;
    std::optional<std::uint32_t> target_of(Node const& pairs, std::string_view uid) const;

    ReadPlan const& plan_;
    Connection& connection_;
    ExecuteOptions const& options_;
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
    options_.sent.push_back({.node = node, .rows = cursor ? cursor->rows() : 0, .duration = took});
    if (options_.keep_sql) options_.sent.back().sql = sql.str();
    if (cursor) return cursor;
    // The server ended it before its own time, since the request had no more.
    bool const was_hurried =
        cursor.error().kind == parser::ErrorKind::timed_out && took < options_.limits.statement;
    if (was_hurried || deadline.has_passed()) return past_deadline(cursor.error().cause);
    return cursor;
}

parser::Result<void> Execution::read_root() {
    if (plan_.answer == ReadPlan::Answer::number) return count_root();
    auto cursor = send(plan_.statements.nodes[0], 0);
    if (!cursor) return cursor.error();
    if (auto taken = take_rows(plan_.nodes[0], *cursor, result_.nodes[0]); !taken) return taken;
    if (plan_.answer == ReadPlan::Answer::list && plan_.page.counted) return read_total();
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
    Node const& node = plan_.nodes[index];
    Rows& rows = result_.nodes[index];
    SqlText const& statement = plan_.statements.nodes[index];
    if (statement.empty()) {
        pairs_of_columns(index);
        return {};
    }
    auto const ids = parent_ids(index);
    entries_.clear();
    for (std::size_t from = 0; from < ids.size(); from += longest_in_list) {
        auto const chunk =
            std::span(ids).subspan(from, std::min(longest_in_list, ids.size() - from));
        auto cursor = send(statement.with_ids(chunk), index);
        if (!cursor) return cursor.error();
        if (auto taken = take_rows(node, *cursor, rows); !taken) return taken;
    }
    arrange(node, rows);
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

std::optional<std::uint32_t> Execution::target_of(Node const& pairs, std::string_view uid) const {
    bool const single = pairs.link->target_type_column.empty();
    for (std::uint32_t i = 0; i < pairs.targets.size(); ++i)
        if (single || plan_.nodes[pairs.targets[i]].type->uid == uid) return i;
    return std::nullopt;
}

// Pairs that the parent's own rows hold: createdBy, and polymorphic relations to one.
void Execution::pairs_of_columns(std::uint32_t index) {
    Node const& node = plan_.nodes[index];
    Node const& parent = plan_.nodes[node.parent];
    Rows const& parents = result_.nodes[node.parent];
    auto const cell = [&](Row const& row, std::string const& key) -> std::string_view {
        auto const found = std::ranges::find(parent.keys, key);
        if (found == parent.keys.end()) return {};
        auto const offset = static_cast<std::size_t>(found - parent.keys.begin());
        return parents.cells_of(row)[parent.columns.size() + offset];
    };
    Rows& rows = result_.nodes[index];
    for (Row const& row : parents.rows) {
        auto const id = cell(row, node.link->target_column);
        auto const target = target_of(node, cell(row, node.link->target_type_column));
        if (id.data() && target)
            rows.rows.push_back({.id = to_id(id), .parent = row.id, .target = *target});
    }
    arrange(node, rows);
}

// The columns that come before those of the entry; `column` ends at the first of these.
Row Execution::take_row(Node const& node, Cursor& cursor, unsigned& column) const {
    Row row;
    column = 0;
    if (node.source == Source::root || node.source == Source::target) {
        row.id = row.parent = cursor.id(column++);
        return row;
    }
    row.parent = cursor.id(column++);
    if (!node.link->order_column.empty() && !node.count)
        row.order = to_order(cursor.text(column++));
    if (node.slots.size() > 1) {
        auto const name = cursor.text(column++);
        for (std::uint32_t slot = 0; slot < node.slots.size(); ++slot)
            if (node.slots[slot]->name == name) row.slot = slot;
    }
    // Rows of other types get a target out of range, and are dropped.
    if (node.source == Source::pairs)
        row.target = node.link->target_type_column.empty()
                         ? 0
                         : target_of(node, cursor.text(column++)).value_or(UINT32_MAX);
    row.id = cursor.id(column++);
    return row;
}

parser::Result<void> Execution::take_rows(Node const& node, Cursor& cursor, Rows& rows) {
    rows_ += cursor.rows();
    if (rows_ > options_.limits.rows)
        return parser::over_limit(options_.limits, &parser::Limits::rows);
    rows.rows.reserve(rows.rows.size() + cursor.rows());
    rows.cells.reserve(rows.cells.size() + cursor.rows() * rows.width);
    while (cursor.next()) {
        unsigned column = 0;
        Row row = take_row(node, cursor, column);
        if (row.target == UINT32_MAX) continue;
        auto const [known, is_new] = entries_.try_emplace(row.id, rows.entries);
        row.entry = known->second;
        rows.rows.push_back(row);
        if (!is_new) continue;
        ++rows.entries;
        if (auto taken = take_cells(cursor, column, rows); !taken) return taken;
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
void Execution::arrange(Node const& node, Rows& rows) const {
    bool const sorted =
        !node.sort.empty() || node.start || node.limit || node.source == Source::pairs;
    bool const reverse = node.reverse;
    auto const group = [](Row const& row) { return std::tie(row.parent, row.slot); };
    if (sorted || node.count) {
        std::ranges::stable_sort(rows.rows, {}, group);
        return;
    }
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

parser::Result<ResultTree> execute(ReadPlan const& plan, Connection& connection,
                                   ExecuteOptions const& options) {
    return Execution(plan, connection, options).run();
}

} // namespace db
