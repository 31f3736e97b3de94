#include "db/execute.hpp"

#include "db/expectation.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>
#include <utility>

namespace db {

using parser::Error;
using Source = Node::Source;
using Clock = std::chrono::steady_clock;

namespace {

// MariaDB turns IN lists of 1,000 values and more into a derived table.
constexpr std::size_t longest_in_list = 900;

// NULL orders before every number, as in SQL.
constexpr double order_of_null = -std::numeric_limits<double>::infinity();

constexpr std::uint64_t usual_rows = 32;

// By the shape of a plan and the node.
constinit Expectation few_rows, fewer_than_asked, quickly_counted;

// Of rows of types that were not asked for; they are dropped.
constexpr std::uint32_t no_target = UINT32_MAX;

// The number in a cell, or `of_null`.
template<class Number>
Number number_in(std::string_view cell, Number of_null) {
    std::from_chars(cell.data(), cell.data() + cell.size(), of_null);
    return of_null;
}

using EntriesById = boost::unordered_flat_map<
    std::uint64_t, std::uint32_t, boost::hash<std::uint64_t>, std::equal_to<std::uint64_t>,
    std::pmr::polymorphic_allocator<std::pair<std::uint64_t const, std::uint32_t>>>;

class Execution {
  public:
    Execution(SelectedPlan const& plan, Connection& connection, ExecuteOptions const& options,
              std::vector<SentStatement>& sent)
        : plan_(plan), connection_(connection), options_(options), sent_(sent) {
        for (Statement const& statement : plan.statements.nodes)
            result_.nodes.push_back({.rows = std::pmr::vector<Row>(&options.memory),
                                     .cells = std::pmr::vector<std::string_view>(&options.memory),
                                     .width = statement.layout.width});
    }

    parser::Result<ResultTree> run();

  private:
    parser::Result<void> read_root();
    parser::Result<void> read_counted(std::uint64_t most_rows);
    parser::Result<void> read_total();
    parser::Result<void> count_root();
    parser::Result<void> read_node(std::uint32_t index);
    parser::Result<void> read(std::uint32_t index, SqlText const& sql, std::uint64_t most_rows);
    parser::Result<void> read_bounded(std::uint32_t index, SqlText const& sql,
                                      std::uint64_t most_rows);
    parser::Result<void> stream(std::uint32_t index, SqlText const& sql, std::uint64_t most_rows);
    std::uint64_t most_few(std::uint32_t index) const;
    parser::Result<bool> buffer(std::uint32_t index, SqlText const& sql, std::uint64_t most_rows);
    parser::Result<void> may_go_on() const;
    parser::Result<void> send(std::optional<std::uint32_t> node, SqlText const& sql, auto take);
    Error explained(Error error, SentStatement const& statement) const;
    Error past_deadline(std::string cause) const {
        return parser::timed_out(options_.limits, &parser::Limits::request, std::move(cause));
    }
    void reserve(std::uint32_t index, std::uint64_t more);
    parser::Result<void> take_row(std::uint32_t index, Cells& cells);
    Row place_of_row(Node const& node, RowLayout const& layout, Cells& cells) const;
    parser::Result<void> take_cells(Cells& cells, unsigned column, Rows& rows);

    std::uint64_t kind(std::uint32_t index) const { return plan_.shape + index; }
    std::vector<std::uint64_t> parent_ids(std::uint32_t index) const;
    void take_pairs_of_parents(std::uint32_t index);
    std::uint32_t target_of(Node const& pairs, std::string_view uid) const;

    SelectedPlan const& plan_;
    Connection& connection_;
    ExecuteOptions const& options_;
    std::vector<SentStatement>& sent_;
    ResultTree result_{options_.memory};
    std::size_t rows_ = 0;
    EntriesById entries_{&options_.memory}; // of the node
    RowLayout::Column total_column_;        // in the next row
};

parser::Result<ResultTree> Execution::run() {
    if (auto done = read_root(); !done) return done.error();
    for (std::uint32_t index = 1; index < plan_.nodes.size(); ++index) {
        if (auto done = read_node(index); !done) return done.error();
        result_.nodes[index].arrange(plan_.nodes[index].reverse,
                                     plan_.statements.nodes[index].layout.sorted);
    }
    return std::move(result_);
}

parser::Result<void> Execution::may_go_on() const {
    if (options_.deadline.is_abandoned()) return parser::unavailable("the client is gone");
    if (options_.deadline.has_passed()) return past_deadline("between statements");
    return {};
}

// The server ends a statement before its own time where the request has no more.
Error Execution::explained(Error error, SentStatement const& statement) const {
    bool const was_hurried = error.kind == parser::ErrorKind::timed_out &&
                             statement.duration < options_.limits.statement;
    if (was_hurried || options_.deadline.has_passed()) return past_deadline(std::move(error.cause));
    return error;
}

// `take` asks the connection, and takes what it gives.
parser::Result<void> Execution::send(std::optional<std::uint32_t> node, SqlText const& sql,
                                     auto take) {
    if (auto can = may_go_on(); !can) return can;
    sent_.push_back({.node = node, .with_total = total_column_.has_value()});
    SentStatement& statement = sent_.back();
    if (options_.keep_sql) statement.sql = sql.str();
    auto const start = Clock::now();
    parser::Result<void> const done = take(statement);
    statement.duration = Clock::now() - start;
    if (!done) return explained(done.error(), statement);
    return {};
}

// Reads what a statement gives for a node, of at most `most_rows` rows. What is not buffered needs
// a look for errors at its end, of 18,000 instructions, unless all rows came that there can be.
parser::Result<void> Execution::read(std::uint32_t index, SqlText const& sql,
                                     std::uint64_t most_rows) {
    if (most_rows != UINT64_MAX) return read_bounded(index, sql, most_rows);
    auto const few = most_few(index);
    if (few == 0) return stream(index, sql, most_rows);
    if (few_rows.is_likely(kind(index))) {
        auto const were_few = buffer(index, SqlText(sql).limit(few + 1), few);
        if (!were_few) return were_few.error();
        if (*were_few) return {};
    }
    auto const before = rows_;
    auto done = stream(index, sql, most_rows);
    few_rows.note(kind(index), rows_ - before <= few);
    return done;
}

parser::Result<void> Execution::read_bounded(std::uint32_t index, SqlText const& sql,
                                             std::uint64_t most_rows) {
    bool const is_narrow = plan_.statements.nodes[index].layout.row_bytes.has_value();
    bool const is_small = is_narrow && most_rows <= most_few(index);
    auto const before = rows_;
    if (!is_small || !fewer_than_asked.is_likely(kind(index))) {
        if (auto done = stream(index, sql, most_rows); !done) return done;
    } else if (auto const done = buffer(index, sql, most_rows); !done) {
        return done.error();
    }
    fewer_than_asked.note(kind(index), rows_ - before < most_rows);
    return {};
}

// So many rows of a node may be buffered. Of narrow ones as many as are a small result for sure; of
// wide ones four, whatever is in them; none where there is an ORDER BY, below which so small a
// LIMIT may change the way that the server takes.
std::uint64_t Execution::most_few(std::uint32_t index) const {
    constexpr std::uint64_t small_result = 1024 * 1024, of_any_width = 4;
    RowLayout const& layout = plan_.statements.nodes[index].layout;
    if (layout.row_bytes) return small_result / std::max(*layout.row_bytes, 1U);
    return layout.sorted ? 0 : of_any_width;
}

parser::Result<void> Execution::stream(std::uint32_t index, SqlText const& sql,
                                       std::uint64_t most_rows) {
    reserve(index, std::min(most_rows, usual_rows));
    return send(index, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto rows = connection_.stream(sql, options_.deadline, most_rows);
        if (!rows) return rows.error();
        for (;;) {
            auto const more = rows->next();
            if (!more) return more.error();
            if (!*more) return {};
            ++statement.rows;
            if (options_.deadline.is_abandoned()) return parser::unavailable("the client is gone");
            if (auto taken = take_row(index, *rows); !taken) return taken;
        }
    });
}

// False: there are more rows, and none was taken.
parser::Result<bool> Execution::buffer(std::uint32_t index, SqlText const& sql,
                                       std::uint64_t most_rows) {
    bool are_all = true;
    auto const done = send(index, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto cursor = connection_.query(sql, options_.deadline);
        if (!cursor) return cursor.error();
        are_all = cursor->rows() <= most_rows;
        if (!are_all) return {};
        statement.rows = cursor->rows();
        reserve(index, cursor->rows());
        while (cursor->next())
            if (auto taken = take_row(index, *cursor); !taken) return taken;
        return {};
    });
    if (!done) return done.error();
    return are_all;
}

parser::Result<void> Execution::read_root() {
    if (plan_.outcome == ReadPlan::Outcome::number) return count_root();
    auto const most_rows = plan_.nodes[0].limit.value_or(UINT64_MAX);
    if (plan_.outcome == ReadPlan::Outcome::list && plan_.page.counted)
        return read_counted(most_rows);
    return read(0, plan_.statements.nodes[0].sql, most_rows);
}

// Where pages are full and counted in next to no time, the total comes in a column of their rows:
// that spares a statement, but makes one of two that each may take `statement-timeout`. Not on
// MySQL: with the `optimizer_switch` that it needs for filters (db/mysql/connection.cpp) it joins
// the total to all rows before it sorts and limits them.
parser::Result<void> Execution::read_counted(std::uint64_t most_rows) {
    constexpr int next_to_none = 16;
    auto const& [sql, layout] = plan_.statements.nodes[0];
    if (connection_.is_mariadb() && quickly_counted.is_likely(kind(0)))
        total_column_ = layout.cells + layout.width;
    auto const start = Clock::now();
    auto done = total_column_ ? read(0, sql.with_total(plan_.statements.total), most_rows)
                              : read(0, sql, most_rows);
    total_column_.reset();
    if (done && !result_.total) done = read_total();
    quickly_counted.note(kind(0),
                         done && result_.nodes[0].rows.size() == most_rows &&
                             Clock::now() - start < options_.limits.statement / next_to_none);
    return done;
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
    SqlText const& sql = plan_.statements.total;
    return send(std::nullopt, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto cursor = connection_.query(sql, options_.deadline);
        if (!cursor) return cursor.error();
        statement.rows = cursor->rows();
        result_.total = cursor->next() ? cursor->id(0) : 0;
        return {};
    });
}

parser::Result<void> Execution::read_node(std::uint32_t index) {
    Node const& node = plan_.nodes[index];
    if (node.source == Source::target && node.count) return {};
    SqlText const& sql = plan_.statements.nodes[index].sql;
    if (sql.empty()) {
        take_pairs_of_parents(index);
        return {};
    }
    auto const ids = parent_ids(index);
    bool const is_one_each =
        node.source == Source::target || (node.count && node.source == Source::link);
    entries_.clear();
    for (std::size_t from = 0; from < ids.size(); from += longest_in_list) {
        auto const chunk =
            std::span(ids).subspan(from, std::min(longest_in_list, ids.size() - from));
        auto done = read(index, sql.with_ids(chunk), is_one_each ? chunk.size() : UINT64_MAX);
        if (!done) return done;
    }
    if (plan_.nodes[index].without_parents)
        std::erase_if(result_.nodes[index].rows,
                      [&](Row const& row) { return std::ranges::binary_search(ids, row.id); });
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

Row Execution::place_of_row(Node const& node, RowLayout const& layout, Cells& cells) const {
    Row row;
    if (layout.parent) row.parent = cells.id(*layout.parent);
    if (layout.order) row.order = number_in(cells.text(*layout.order), order_of_null);
    if (layout.slot) {
        auto const field = cells.text(*layout.slot);
        for (std::uint32_t slot = 0; slot < node.slots.size(); ++slot)
            if (node.slots[slot]->link.field == field) row.slot = slot;
    }
    if (layout.type) row.target = target_of(node, cells.text(*layout.type));
    row.id = cells.id(layout.id);
    if (!layout.parent) row.parent = row.id;
    return row;
}

void Execution::reserve(std::uint32_t index, std::uint64_t more) {
    Rows& rows = result_.nodes[index];
    rows.rows.reserve(rows.rows.size() + more);
    rows.cells.reserve(rows.cells.size() + more * rows.width);
}

parser::Result<void> Execution::take_row(std::uint32_t index, Cells& cells) {
    RowLayout const& layout = plan_.statements.nodes[index].layout;
    Rows& rows = result_.nodes[index];
    if (++rows_ > options_.limits.rows)
        return parser::over_limit(options_.limits, &parser::Limits::rows);
    if (total_column_) result_.total = cells.id(*std::exchange(total_column_, std::nullopt));
    Row row = place_of_row(plan_.nodes[index], layout, cells);
    if (row.target == no_target) return {};
    auto const [known, is_new] = entries_.try_emplace(row.id, rows.entries);
    row.entry = known->second;
    rows.rows.push_back(row);
    if (!is_new) return {};
    ++rows.entries;
    return take_cells(cells, layout.cells, rows);
}

parser::Result<void> Execution::take_cells(Cells& cells, unsigned column, Rows& rows) {
    for (std::size_t i = 0; i < rows.width; ++i) {
        rows.cells.push_back(cells.copy(column++, *result_.text));
        result_.text_bytes += rows.cells.back().size();
    }
    if (result_.text_bytes > options_.limits.response)
        return parser::over_limit(options_.limits, &parser::Limits::response);
    return {};
}

} // namespace

SqlText text_of(SentStatement const& sent, Statements const& statements) {
    auto const& [nodes, total] = statements;
    if (!sent.node) return total;
    auto const& sql = nodes[*sent.node].sql;
    return sent.with_total ? sql.with_total(total) : sql;
}

parser::Result<ResultTree> execute(SelectedPlan const& plan, Connection& connection,
                                   ExecuteOptions const& options,
                                   std::vector<SentStatement>& sent) try {
    return Execution(plan, connection, options, sent).run();
} catch (parser::OutOfBudget const& refused) {
    return parser::unavailable(refused.what());
}

} // namespace db
