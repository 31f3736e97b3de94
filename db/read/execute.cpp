#include "db/read/execute.hpp"

#include "db/mysql/cursor.hpp"
#include "db/read/statistics.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace db {

using parser::Error;
using Clock = std::chrono::steady_clock;

namespace {

// MariaDB turns IN lists of 1,000 values and more into a derived table.
constexpr std::size_t longest_in_list = 900;
// The most bytes of a statement with a branch for each parent.
constexpr std::size_t most_text = 256 * 1024;

constexpr std::uint64_t usual_rows = 32;
constexpr std::uint64_t no_limit = UINT64_MAX;

// To sort a link by a value of another row than its entry takes at least so long. MariaDB 10.11
// took 5.5 to 7.5 us for each of 1,000,000 links (`tests/bench/run --articles 500000 --requests
// tags-limit-author`), and 0.08 to count it.
constexpr std::chrono::microseconds sorting_of_link{5};

// Each branch opens its tables anew.
constexpr std::size_t most_branches = 100;

// These are kept by the shape of a plan and the node. `tests/bench/instructions` counts (`again`)
// 3.8 % more for `entry` without the first, 2.5 % more for `three-levels` without the second, and
// 4.4 % more for `titles` without the third, which saves a statement, too.
constinit Expectation few_rows, fewer_than_asked, quickly_counted;
constinit FormChoice form_choice;

// Chooses the form of the statement that reads a node for that many parents.
Form choose_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Forms forms) {
    Form const other = plan.other_form(node);
    if (other == Form::usual || forms == Forms::usual || parents > most_branches)
        return Form::usual;
    bool const is_best =
        forms == Forms::other || form_choice.prefers_other(plan.kind(node), parents);
    return is_best ? other : Form::usual;
}

// A statement of a node for so many parents, or of the total, which gives no more than `most_rows`
// rows.
struct NodeRead {
    std::uint32_t node;
    SqlText sql;
    std::uint64_t most_rows = no_limit;
    Form form = Form::usual;
    std::size_t parents = 1;
};

class Execution {
  public:
    Execution(SelectedPlan const& plan, Connection& connection, ReadMethod method,
              ExecuteOptions const& options, std::vector<SentStatement>& sent)
        : plan_(plan),
          connection_(connection),
          method_(method),
          options_(options),
          sent_(sent),
          builder_(plan, options.limits, options.memory) {}

    parser::Result<ResultTree> run();

  private:
    parser::Result<void> read_root();
    parser::Result<void> read_counted(std::uint64_t most_rows);
    parser::Result<void> read_total();
    parser::Result<void> count_root();
    parser::Result<void> read_level(std::span<std::uint32_t const> nodes);
    parser::Result<void> can_sort(std::uint32_t node, std::span<std::uint64_t const> parents);
    parser::Result<void> read(std::span<NodeRead> reads);
    parser::Result<void> stream(StatementBatch& batch, NodeRead const& read);
    parser::Result<void> take_stream(parser::Result<RowStream> rows, NodeRead const& read,
                                     SentStatement& statement);
    parser::Result<void> buffer(StatementBatch& batch, NodeRead const& read, SqlText const& sql);
    bool is_best_buffered(NodeRead const& read) const;
    SqlText with_few(NodeRead const& read) const;
    // Notes the outcome of the statement that was sent last, which was that of `read`.
    void note(NodeRead const& read, std::uint64_t rows);
    void note_time(NodeRead const& read, FormChoice::Time time);
    SentStatement& begin(std::optional<std::uint32_t> node, SqlText const& sql);
    bool ended_late(Error const& error, bool is_hurried) const;
    Error failure(NodeRead const& read, Error error, bool is_hurried);
    std::chrono::milliseconds patience_for(NodeRead const& read) const;
    std::uint64_t most_few(std::uint32_t node) const;
    parser::Result<void> may_go_on() const;
    parser::Result<void> send(NodeRead const& read, SqlText const& sql, auto take);
    Error past_deadline(std::string cause) const {
        return parser::timed_out(options_.limits, &parser::Limits::request, std::move(cause));
    }

    SelectedPlan const& plan_;
    Connection& connection_;
    ReadMethod const method_;
    ExecuteOptions const& options_;
    std::vector<SentStatement>& sent_;
    ResultBuilder builder_;
};

bool is_counted(ReadPlan const& plan) {
    return plan.outcome == ReadPlan::Outcome::list && plan.page.counted;
}

// Returns all nodes but the root, by depth: the ids of the parents are known for all nodes of one
// depth at the same time.
std::vector<std::vector<std::uint32_t>> levels_below_root(ReadPlan const& plan) {
    std::vector<std::vector<std::uint32_t>> levels;
    std::vector<std::uint32_t> depths(plan.nodes.size());
    for (std::uint32_t node = 1; node < plan.nodes.size(); ++node) {
        depths[node] = depths[plan.nodes[node].parent] + 1;
        if (levels.size() < depths[node]) levels.emplace_back();
        levels[depths[node] - 1].push_back(node);
    }
    return levels;
}

parser::Result<ResultTree> Execution::run() {
    if (auto done = read_root(); !done) return done.error();
    for (auto const& nodes : levels_below_root(plan_))
        if (auto done = read_level(nodes); !done) return done.error();
    return std::move(builder_.result());
}

parser::Result<void> Execution::may_go_on() const {
    if (options_.deadline.is_abandoned()) return parser::unavailable("the client is gone");
    if (options_.deadline.has_passed()) return past_deadline("between statements");
    return {};
}

SentStatement& Execution::begin(std::optional<std::uint32_t> node, SqlText const& sql) {
    SentStatement& statement = sent_.emplace_back();
    statement.node = node;
    if (options_.keep_sql) statement.sql = sql.str();
    return statement;
}

// Sends a statement: `take` asks the connection and takes what it gives.
parser::Result<void> Execution::send(NodeRead const& read, SqlText const& sql, auto take) {
    if (auto can = may_go_on(); !can) return can;
    bool const is_total = read.node == plan_.total();
    SentStatement& statement = begin(is_total ? std::nullopt : std::optional(read.node), sql);
    statement.form = read.form;
    statement.with_total = builder_.expects_total();
    // If so, the server ends the statement before its own timeout.
    auto const own = std::min(options_.limits.statement, patience_for(read));
    bool const is_hurried = options_.deadline.left() < own;
    auto const start = Clock::now();
    parser::Result<void> const done = take(statement);
    statement.duration = Clock::now() - start;
    if (!done) return failure(read, done.error(), is_hurried);
    note(read, statement.rows);
    return {};
}

// Returns whether it was the request's deadline that ended a statement.
bool Execution::ended_late(Error const& error, bool is_hurried) const {
    return (error.kind == parser::ErrorKind::timed_out && is_hurried) ||
           options_.deadline.has_passed();
}

// A form other than the usual is given up on any error, unless both take longer than a statement
// may: the client would get the same error, but only after twice the time. The time of a form is
// noted even if the error cost the connection, as a statement that is too long for the server does.
Error Execution::failure(NodeRead const& read, Error error, bool is_hurried) {
    SentStatement& statement = sent_.back();
    bool const is_timed_out = error.kind == parser::ErrorKind::timed_out;
    bool const is_late = ended_late(error, is_hurried);
    bool const is_other = statement.form != Form::usual;
    bool const is_lost = error.kind == parser::ErrorKind::connection_lost;
    bool const is_endless = is_timed_out && !form_choice.usual_finishes(plan_.kind(read.node));
    statement.given_up = is_other && !is_late && !is_endless && connection_.resume();
    if (is_timed_out || statement.given_up || (is_other && is_lost))
        note_time(read, is_late ? statement.duration : FormChoice::endless);
    return is_late ? past_deadline(std::move(error.cause)) : error;
}

// How long a form other than the usual may take. The server stops what takes longer with an error,
// which cannot get lost on the way, unlike the warning after which MariaDB's ROWS EXAMINED leaves
// rows out.
std::chrono::milliseconds Execution::patience_for(NodeRead const& read) const {
    return read.form == Form::usual ? std::chrono::milliseconds::max()
                                    : form_choice.patience(plan_.kind(read.node), read.parents);
}

// A stream has to be checked for errors at its end, which takes 18,000 instructions, unless all
// possible rows came or another result follows. So one that needs no check is sent last.
parser::Result<void> Execution::read(std::span<NodeRead> reads) {
    if (reads.empty()) return {};
    auto const ends_well = [&](NodeRead const& read) {
        return is_best_buffered(read) ||
               (read.most_rows != no_limit && !fewer_than_asked.is_likely(plan_.kind(read.node)));
    };
    auto const last = std::find_if(reads.rbegin(), reads.rend(), ends_well);
    if (last != reads.rend()) std::rotate(last.base() - 1, last.base(), reads.end());
    std::optional<SqlText> limited;
    if (is_best_buffered(reads.back())) limited = with_few(reads.back());

    std::vector<SqlText const*> statements;
    for (NodeRead const& read : reads)
        statements.push_back(&read.sql);
    if (limited) statements.back() = &*limited;
    StatementBatch batch(connection_, statements, options_.deadline, patience_for(reads[0]));
    for (NodeRead const& read : reads.first(reads.size() - limited.has_value()))
        if (auto done = stream(batch, read); !done) return done;
    return limited ? buffer(batch, reads.back(), *limited) : parser::Result<void>();
}

parser::Result<void> Execution::stream(StatementBatch& batch, NodeRead const& read) {
    return send(read, read.sql, [&](SentStatement& statement) {
        return take_stream(batch.stream_next(read.most_rows), read, statement);
    });
}

parser::Result<void> Execution::take_stream(parser::Result<RowStream> rows, NodeRead const& read,
                                            SentStatement& statement) {
    if (!rows) return rows.error();
    builder_.begin(read.node);
    builder_.reserve(std::min(read.most_rows, usual_rows));
    for (;;) {
        auto const more = rows->next();
        if (!more) return more.error();
        if (!*more) return {};
        ++statement.rows;
        if (options_.deadline.is_abandoned()) return parser::unavailable("the client is gone");
        if (auto taken = builder_.take(*rows); !taken) return taken;
    }
}

// If there are more rows than few, none is taken, and they are asked for once more. (All reasons to
// send a statement again: read() in fcgi/handler/handle_request.hpp.)
parser::Result<void> Execution::buffer(StatementBatch& batch, NodeRead const& read,
                                       SqlText const& sql) {
    auto const most = std::min(read.most_rows, most_few(read.node));
    auto const done = send(read, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto rows = batch.next();
        if (!rows) return rows.error();
        statement.rows = rows->rows();
        if (statement.rows > most) return {};
        builder_.begin(read.node);
        builder_.reserve(statement.rows);
        while (rows->next())
            if (auto taken = builder_.take(*rows); !taken) return taken;
        return {};
    });
    if (!done || sent_.back().rows <= most) return done;
    SqlText const* const alone[] = {&read.sql};
    StatementBatch again(connection_, alone, options_.deadline, patience_for(read));
    return stream(again, read);
}

bool Execution::is_best_buffered(NodeRead const& read) const {
    auto const few = most_few(read.node);
    if (read.most_rows == no_limit) return few > 0 && few_rows.is_likely(plan_.kind(read.node));
    bool const is_narrow = plan_.statements.nodes[read.node].layout.row_bytes.has_value();
    return is_narrow && read.most_rows <= few && fewer_than_asked.is_likely(plan_.kind(read.node));
}

SqlText Execution::with_few(NodeRead const& read) const {
    SqlText sql = read.sql;
    return read.most_rows == no_limit ? sql.limit(most_few(read.node) + 1) : sql;
}

void Execution::note(NodeRead const& read, std::uint64_t rows) {
    note_time(read, sent_.back().duration);
    if (read.node == plan_.total()) return;
    if (read.most_rows == no_limit)
        few_rows.note(plan_.kind(read.node), rows <= most_few(read.node));
    else
        fewer_than_asked.note(plan_.kind(read.node), rows < read.most_rows);
}

void Execution::note_time(NodeRead const& read, FormChoice::Time time) {
    if (plan_.other_form(read.node) == Form::usual) return;
    if (read.form == Form::usual)
        form_choice.note_usual(plan_.kind(read.node), time, read.parents);
    else
        form_choice.note_other(plan_.kind(read.node), time, read.parents);
}

// Returns how many rows of a node may be buffered: of narrow rows as many as are certainly a small
// result; of wide ones four, whatever is in them, but none under an ORDER BY, where so small a
// LIMIT may change how the server executes the statement.
std::uint64_t Execution::most_few(std::uint32_t node) const {
    constexpr std::uint64_t small_result = 1024 * 1024, of_any_width = 4;
    RowLayout const& layout = plan_.statements.nodes[node].layout;
    if (layout.row_bytes) return small_result / std::max(*layout.row_bytes, 1U);
    return layout.sorted ? 0 : of_any_width;
}

parser::Result<void> Execution::read_root() {
    bool const is_number = plan_.outcome == ReadPlan::Outcome::number;
    auto const most_rows = plan_.nodes[0].limit.value_or(no_limit);
    if (method_.total) {
        builder_.result().total = method_.total;
        if (is_number || plan_.page.start >= *method_.total) return {};
    } else if (is_number) {
        return count_root();
    } else if (is_counted(plan_)) {
        return read_counted(most_rows);
    }
    NodeRead root{0, text_of({.node = 0, .form = method_.root}, plan_), most_rows, method_.root};
    return read({&root, 1});
}

// Returns whether the total is to come in a column of the page's rows, because pages are full and
// quickly counted. That saves a statement, but makes one out of two that may each take
// `statement-timeout`. It is not done on MySQL: with the `optimizer_switch` that it needs for
// filters (db/mysql/connection.cpp) it joins the total to all rows before it sorts and limits them.
bool is_best_with_total(SelectedPlan const& plan) {
    return is_counted(plan) && quickly_counted.is_likely(plan.kind(0));
}

// A page past the end, or of length 0, has no row that could hold the total.
bool is_one_statement(SelectedPlan const& plan, ReadMethod const& method) {
    if (plan.nodes.size() > 1) return false;
    return !is_counted(plan) || method.total ||
           (method.with_total && plan.page.start == 0 && plan.page.limit != 0U);
}

parser::Result<void> Execution::read_counted(std::uint64_t most_rows) {
    constexpr int next_to_none = 16;
    // If there is a choice of forms, the times of page and total have to be known once one is slow.
    bool const is_chosen =
        plan_.other_form(0) != Form::usual || plan_.other_form(plan_.total()) != Form::usual;
    auto const quick = is_chosen ? Clock::duration(FormChoice::slow_from)
                                 : Clock::duration(options_.limits.statement) / next_to_none;
    auto const& layout = plan_.statements.nodes[0].layout;
    if (method_.with_total) builder_.expect_total(layout.cells + layout.width);
    SentStatement const page{.node = 0, .with_total = method_.with_total, .form = method_.root};
    NodeRead root{0, text_of(page, plan_), most_rows, method_.root};
    auto const start = Clock::now();
    auto done = read({&root, 1});
    ResultTree const& result = builder_.result();
    if (done && !result.total) done = read_total();
    quickly_counted.note(plan_.kind(0), done && connection_.is_mariadb() &&
                                            result.nodes[0].rows.size() == most_rows &&
                                            Clock::now() - start < quick);
    return done;
}

// A page that is not full ends the list and so gives the total, unless it lies past the end.
parser::Result<void> Execution::read_total() {
    Page const& page = plan_.page;
    std::size_t const count = builder_.result().nodes[0].rows.size();
    bool const is_last = !page.limit || count < *page.limit;
    if (is_last && (count > 0 || page.start == 0)) {
        builder_.result().total = page.start + count;
        return {};
    }
    return count_root();
}

parser::Result<void> Execution::count_root() {
    NodeRead read{plan_.total(), {}};
    read.form = choose_form(plan_, read.node, 1, options_.forms);
    SqlText const other = read.form == Form::usual ? SqlText() : select_total(plan_, read.form);
    SqlText const& sql = read.form == Form::usual ? plan_.statements.total : other;
    return send(read, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto cursor = connection_.query(sql, options_.deadline, patience_for(read));
        if (!cursor) return cursor.error();
        statement.rows = cursor->rows();
        builder_.result().total = cursor->next() ? cursor->id(0) : 0;
        return {};
    });
}

// Refuses at once what would keep the database busy until its timeout, and be refused then.
parser::Result<void> Execution::can_sort(std::uint32_t node,
                                         std::span<std::uint64_t const> parents) {
    if (auto can = may_go_on(); !can) return can;
    SqlText const sql = count_links(plan_.nodes[node]).with_ids(parents);
    SentStatement& statement = begin(node, sql);
    statement.counts_links = true;
    bool const is_hurried = options_.deadline.left() < options_.limits.statement;
    auto const start = Clock::now();
    auto cursor = connection_.query(sql, options_.deadline);
    statement.duration = Clock::now() - start;
    if (!cursor)
        return ended_late(cursor.error(), is_hurried) ? past_deadline(cursor.error().cause)
                                                      : cursor.error();
    statement.rows = cursor->rows();
    std::uint64_t const links = cursor->next() ? cursor->id(0) : 0;
    auto const most = options_.limits.statement / sorting_of_link;
    if (links <= static_cast<std::uint64_t>(most)) return {};
    return parser::too_expensive(options_.limits, &parser::Limits::statement,
                                 "refused: it sorts " + std::to_string(links) +
                                     " links by values of other rows");
}

parser::Result<void> Execution::read_level(std::span<std::uint32_t const> nodes) {
    // A statement that may be given up is sent alone: the others would end with it, and a stream
    // may leave its error to the next (RowStream::next).
    std::vector<NodeRead> usual, others;
    for (auto const index : nodes) {
        Node const& node = plan_.nodes[index];
        bool const is_one_each =
            node.source == RowSource::target || (node.count && node.source == RowSource::link);
        if (node.source == RowSource::target && node.count) continue;
        if (plan_.statements.nodes[index].sql.empty()) {
            builder_.begin(index);
            builder_.take_pairs_of_parents();
            continue;
        }
        auto const ids = builder_.parent_ids(index);
        bool const sorts_links = node.source == RowSource::link && sorts_by_relations(node);
        Form form = choose_form(plan_, index, ids.size(), options_.forms);
        SqlText const other = form == Form::usual ? SqlText() : select_node(plan_, index, form);
        if (other.str().size() * ids.size() > most_text) form = Form::usual;
        SqlText const& sql = form == Form::usual ? plan_.statements.nodes[index].sql : other;
        auto& reads = form == Form::usual ? usual : others;
        for (std::size_t from = 0; from < ids.size(); from += longest_in_list) {
            auto const chunk =
                std::span(ids).subspan(from, std::min(longest_in_list, ids.size() - from));
            if (sorts_links)
                if (auto can = can_sort(index, chunk); !can) return can;
            reads.push_back({index, sql.with_ids(chunk), is_one_each ? chunk.size() : no_limit,
                             form, chunk.size()});
        }
    }
    for (NodeRead& other : others)
        if (auto done = read({&other, 1}); !done) return done;
    if (auto done = read(usual); !done) return done;
    for (auto const node : nodes)
        builder_.end(node);
    return {};
}

} // namespace

SqlText text_of(SentStatement const& sent, SelectedPlan const& plan) {
    auto const& [nodes, total, other_total] = plan.statements;
    if (!sent.node) return sent.form == Form::usual ? total : select_total(plan, sent.form);
    if (sent.counts_links) return count_links(plan.nodes[*sent.node]);
    if (sent.form != Form::usual) return select_node(plan, *sent.node, sent.form);
    auto const& sql = nodes[*sent.node].sql;
    return sent.with_total ? sql.with_total(total) : sql;
}

bool has_total(ReadPlan const& plan) {
    return plan.outcome == ReadPlan::Outcome::number || is_counted(plan);
}

ReadMethod method_for(SelectedPlan const& plan, Forms forms, std::optional<std::uint64_t> total) {
    ReadMethod method{.root = choose_form(plan, 0, 1, forms), .total = total};
    method.with_total = !total && method.root == Form::usual && is_best_with_total(plan);
    method.extent = is_one_statement(plan, method) ? Extent::statement : Extent::snapshot;
    return method;
}

bool needs_snapshot(parser::Result<ResultTree> const& result, Connection const& connection) {
    return !result && result.error().kind == parser::ErrorKind::connection_lost &&
           !connection.is_in_snapshot();
}

parser::Result<ResultTree> execute(SelectedPlan const& plan, ReadMethod const& method,
                                   Connection& connection, ExecuteOptions const& options,
                                   std::vector<SentStatement>& sent) try {
    auto result = Execution(plan, connection, method, options, sent).run();
    if (result || sent.empty() || !sent.back().given_up) return result;
    ExecuteOptions again = options;
    again.forms = Forms::usual;
    return Execution(plan, connection, {.total = method.total}, again, sent).run();
} catch (parser::OutOfBudget const& refused) {
    return parser::unavailable(refused.what());
}

} // namespace db
