#include "db/execute.hpp"

#include "db/expectation.hpp"
#include "db/mysql/batch.hpp"
#include "db/result_builder.hpp"

#include <algorithm>
#include <utility>

namespace db {

using parser::Error;
using Source = Node::Source;
using Clock = std::chrono::steady_clock;

namespace {

// MariaDB turns IN lists of 1,000 values and more into a derived table.
constexpr std::size_t longest_in_list = 900;

constexpr std::uint64_t usual_rows = 32;
constexpr std::uint64_t no_limit = UINT64_MAX;

// By the shape of a plan and the node.
constinit Expectation few_rows, fewer_than_asked, quickly_counted;

// A statement of a node, which gives no more than `most_rows` rows.
struct Question {
    std::uint32_t node;
    SqlText sql;
    std::uint64_t most_rows = no_limit;
};

class Execution {
  public:
    Execution(SelectedPlan const& plan, Connection& connection, bool with_total,
              ExecuteOptions const& options, std::vector<SentStatement>& sent)
        : plan_(plan),
          connection_(connection),
          with_total_(with_total),
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
    parser::Result<void> read(std::span<Question> questions);
    parser::Result<void> stream(Batch& batch, Question const& question);
    parser::Result<void> take_stream(parser::Result<RowStream> rows, Question const& question,
                                     SentStatement& statement);
    parser::Result<void> buffer(Batch& batch, Question const& question, SqlText const& sql);
    bool is_best_buffered(Question const& question) const;
    SqlText with_few(Question const& question) const;
    void note(Question const& question, std::uint64_t rows);
    std::uint64_t most_few(std::uint32_t node) const;
    parser::Result<void> may_go_on() const;
    parser::Result<void> send(std::optional<std::uint32_t> node, SqlText const& sql, auto take);
    Error past_deadline(std::string cause) const {
        return parser::timed_out(options_.limits, &parser::Limits::request, std::move(cause));
    }

    std::uint64_t kind(std::uint32_t node) const { return plan_.shape + node; }

    SelectedPlan const& plan_;
    Connection& connection_;
    bool const with_total_;
    ExecuteOptions const& options_;
    std::vector<SentStatement>& sent_;
    ResultBuilder builder_;
};

bool is_counted(ReadPlan const& plan) {
    return plan.outcome == ReadPlan::Outcome::list && plan.page.counted;
}

// All nodes but the root, by their depth: where their parents are is known for all of one depth at
// the same time.
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

// `take` asks the connection, and takes what it gives.
parser::Result<void> Execution::send(std::optional<std::uint32_t> node, SqlText const& sql,
                                     auto take) {
    if (auto can = may_go_on(); !can) return can;
    sent_.push_back({.node = node, .with_total = builder_.expects_total()});
    SentStatement& statement = sent_.back();
    if (options_.keep_sql) statement.sql = sql.str();
    // Then the server ends the statement before its own time.
    bool const is_hurried = options_.deadline.left() < options_.limits.statement;
    auto const start = Clock::now();
    parser::Result<void> const done = take(statement);
    statement.duration = Clock::now() - start;
    if (done) return {};
    bool const is_late = done.error().kind == parser::ErrorKind::timed_out && is_hurried;
    if (is_late || options_.deadline.has_passed()) return past_deadline(done.error().cause);
    return done;
}

// A stream costs a look for errors at its end, of 18,000 instructions, unless all rows came that
// there can be, or another result follows. So one that ends well is sent last.
parser::Result<void> Execution::read(std::span<Question> questions) {
    if (questions.empty()) return {};
    auto const ends_well = [&](Question const& question) {
        return is_best_buffered(question) ||
               (question.most_rows != no_limit && !fewer_than_asked.is_likely(kind(question.node)));
    };
    auto const last = std::find_if(questions.rbegin(), questions.rend(), ends_well);
    if (last != questions.rend()) std::rotate(last.base() - 1, last.base(), questions.end());
    std::optional<SqlText> limited;
    if (is_best_buffered(questions.back())) limited = with_few(questions.back());

    std::vector<SqlText const*> statements;
    for (Question const& question : questions)
        statements.push_back(&question.sql);
    if (limited) statements.back() = &*limited;
    Batch batch(connection_, statements, options_.deadline);
    for (Question const& question : questions.first(questions.size() - limited.has_value()))
        if (auto done = stream(batch, question); !done) return done;
    return limited ? buffer(batch, questions.back(), *limited) : parser::Result<void>();
}

parser::Result<void> Execution::stream(Batch& batch, Question const& question) {
    auto const done = send(question.node, question.sql, [&](SentStatement& statement) {
        return take_stream(batch.stream_next(question.most_rows), question, statement);
    });
    if (done) note(question, sent_.back().rows);
    return done;
}

parser::Result<void> Execution::take_stream(parser::Result<RowStream> rows,
                                            Question const& question, SentStatement& statement) {
    if (!rows) return rows.error();
    builder_.begin(question.node);
    builder_.reserve(std::min(question.most_rows, usual_rows));
    for (;;) {
        auto const more = rows->next();
        if (!more) return more.error();
        if (!*more) return {};
        ++statement.rows;
        if (options_.deadline.is_abandoned()) return parser::unavailable("the client is gone");
        if (auto taken = builder_.take(*rows); !taken) return taken;
    }
}

// Where there are more rows than few, none is taken, and they are asked for once more.
parser::Result<void> Execution::buffer(Batch& batch, Question const& question, SqlText const& sql) {
    auto const most = std::min(question.most_rows, most_few(question.node));
    auto const done =
        send(question.node, sql, [&](SentStatement& statement) -> parser::Result<void> {
            auto rows = batch.next();
            if (!rows) return rows.error();
            statement.rows = rows->rows();
            if (statement.rows > most) return {};
            builder_.begin(question.node);
            builder_.reserve(statement.rows);
            while (rows->next())
                if (auto taken = builder_.take(*rows); !taken) return taken;
            return {};
        });
    if (!done) return done;
    note(question, sent_.back().rows);
    if (sent_.back().rows <= most) return {};
    SqlText const* const alone[] = {&question.sql};
    Batch again(connection_, alone, options_.deadline);
    return stream(again, question);
}

bool Execution::is_best_buffered(Question const& question) const {
    auto const few = most_few(question.node);
    if (question.most_rows == no_limit) return few > 0 && few_rows.is_likely(kind(question.node));
    bool const is_narrow = plan_.statements.nodes[question.node].layout.row_bytes.has_value();
    return is_narrow && question.most_rows <= few &&
           fewer_than_asked.is_likely(kind(question.node));
}

SqlText Execution::with_few(Question const& question) const {
    SqlText sql = question.sql;
    return question.most_rows == no_limit ? sql.limit(most_few(question.node) + 1) : sql;
}

void Execution::note(Question const& question, std::uint64_t rows) {
    if (question.most_rows == no_limit)
        few_rows.note(kind(question.node), rows <= most_few(question.node));
    else
        fewer_than_asked.note(kind(question.node), rows < question.most_rows);
}

// So many rows of a node may be buffered. Of narrow ones as many as are a small result for sure; of
// wide ones four, whatever is in them; none where there is an ORDER BY, below which so small a
// LIMIT may change the way that the server takes.
std::uint64_t Execution::most_few(std::uint32_t node) const {
    constexpr std::uint64_t small_result = 1024 * 1024, of_any_width = 4;
    RowLayout const& layout = plan_.statements.nodes[node].layout;
    if (layout.row_bytes) return small_result / std::max(*layout.row_bytes, 1U);
    return layout.sorted ? 0 : of_any_width;
}

parser::Result<void> Execution::read_root() {
    if (plan_.outcome == ReadPlan::Outcome::number) return count_root();
    auto const most_rows = plan_.nodes[0].limit.value_or(no_limit);
    if (is_counted(plan_)) return read_counted(most_rows);
    Question root{0, plan_.statements.nodes[0].sql, most_rows};
    return read({&root, 1});
}

// Where pages are full and counted in next to no time, the total comes in a column of their rows:
// that spares a statement, but makes one of two that each may take `statement-timeout`. Not on
// MySQL: with the `optimizer_switch` that it needs for filters (db/mysql/connection.cpp) it joins
// the total to all rows before it sorts and limits them.
bool is_best_with_total(SelectedPlan const& plan) {
    return is_counted(plan) && quickly_counted.is_likely(plan.shape);
}

// A page that is past the end, or of no length, has no row that could tell the total.
bool is_one_statement(SelectedPlan const& plan, bool with_total) {
    if (plan.nodes.size() > 1) return false;
    return !is_counted(plan) || (with_total && plan.page.start == 0 && plan.page.limit != 0U);
}

parser::Result<void> Execution::read_counted(std::uint64_t most_rows) {
    constexpr int next_to_none = 16;
    auto const& [sql, layout] = plan_.statements.nodes[0];
    Question root{0, with_total_ ? sql.with_total(plan_.statements.total) : sql, most_rows};
    if (with_total_) builder_.expect_total(layout.cells + layout.width);
    auto const start = Clock::now();
    auto done = read({&root, 1});
    ResultTree const& result = builder_.result();
    if (done && !result.total) done = read_total();
    quickly_counted.note(
        kind(0), done && connection_.is_mariadb() && result.nodes[0].rows.size() == most_rows &&
                     Clock::now() - start < options_.limits.statement / next_to_none);
    return done;
}

// A page that is not full ends the list, so it tells the total; unless it lies past the end.
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
    SqlText const& sql = plan_.statements.total;
    return send(std::nullopt, sql, [&](SentStatement& statement) -> parser::Result<void> {
        auto cursor = connection_.query(sql, options_.deadline);
        if (!cursor) return cursor.error();
        statement.rows = cursor->rows();
        builder_.result().total = cursor->next() ? cursor->id(0) : 0;
        return {};
    });
}

parser::Result<void> Execution::read_level(std::span<std::uint32_t const> nodes) {
    std::vector<Question> questions;
    for (auto const index : nodes) {
        Node const& node = plan_.nodes[index];
        bool const is_one_each =
            node.source == Source::target || (node.count && node.source == Source::link);
        if (node.source == Source::target && node.count) continue;
        SqlText const& sql = plan_.statements.nodes[index].sql;
        if (sql.empty()) {
            builder_.begin(index);
            builder_.take_pairs_of_parents();
            continue;
        }
        auto const ids = builder_.parent_ids(index);
        for (std::size_t from = 0; from < ids.size(); from += longest_in_list) {
            auto const chunk =
                std::span(ids).subspan(from, std::min(longest_in_list, ids.size() - from));
            questions.push_back(
                {index, sql.with_ids(chunk), is_one_each ? chunk.size() : no_limit});
        }
    }
    if (auto done = read(questions); !done) return done;
    for (auto const node : nodes)
        builder_.end(node);
    return {};
}

} // namespace

SqlText text_of(SentStatement const& sent, Statements const& statements) {
    auto const& [nodes, total] = statements;
    if (!sent.node) return total;
    auto const& sql = nodes[*sent.node].sql;
    return sent.with_total ? sql.with_total(total) : sql;
}

parser::Result<ResultTree> execute(SelectedPlan const& plan, Connect const& connect,
                                   ExecuteOptions const& options,
                                   std::vector<SentStatement>& sent) try {
    bool const with_total = is_best_with_total(plan);
    auto const read = [&](Connection& connection) {
        return Execution(plan, connection, with_total, options, sent).run();
    };
    if (is_one_statement(plan, with_total)) {
        auto const connection = connect(Extent::statement);
        if (!connection) return connection.error();
        auto result = read(**connection);
        bool const is_lost = !result && result.error().kind == parser::ErrorKind::connection_lost;
        if (!is_lost || (*connection)->is_in_snapshot()) return result;
    }
    auto const connection = connect(Extent::snapshot);
    if (!connection) return connection.error();
    return read(**connection);
} catch (parser::OutOfBudget const& refused) {
    return parser::unavailable(refused.what());
}

} // namespace db
