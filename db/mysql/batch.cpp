#include "db/mysql/batch.hpp"

#include "db/mysql/connection_state.hpp"

#include <stdexcept>
#include <utility>

namespace db {

namespace {

// Any server takes as much (max_allowed_packet), and it is some hundred statements.
constexpr std::size_t most_bytes = 64 * 1024;

} // namespace

Batch::Batch(Connection& connection, std::span<SqlText const* const> statements,
             parser::Deadline const& deadline)
    : connection_(connection), statements_(statements), deadline_(deadline) {
}

Batch::~Batch() {
    if (coming_ > 0) connection_.cut();
}

void Batch::send() {
    auto const& state = *connection_.state_;
    std::string text;
    do {
        if (coming_ > 0) text.append("; ");
        text.append(state.in_time(*statements_[coming_++], deadline_));
    } while (state.together && coming_ < statements_.size() &&
             text.size() + statements_[coming_]->str().size() < most_bytes);
    statements_ = statements_.subspan(coming_);
    driver();
    sent_.reset(state.connection->createStatement());
    sent_->execute(text);
}

// Without a result to follow there is none, or the error that kept it away.
void Batch::advance(Cells::State& cells, bool is_stream) try {
    if (coming_ == 0)
        send();
    else
        sent_->getMoreResults();
    sent_->setResultSetType(is_stream ? sql::ResultSet::TYPE_FORWARD_ONLY
                                      : sql::ResultSet::TYPE_SCROLL_INSENSITIVE);
    cells.rows.reset(sent_->getResultSet());
    if (!cells.rows) throw std::runtime_error("the server left out the result of a statement");
    if (--coming_ == 0) cells.ending = sent_.get();
} catch (...) {
    coming_ = 0;
    throw;
}

parser::Result<Cursor> Batch::next() {
    Connection::State& state = *connection_.state_;
    Watchdog::Watch::Task const task(state.watch, state.overdue(deadline_));
    try {
        auto cells = std::make_unique<Cells::State>();
        advance(*cells, false);
        return Cursor(std::move(cells));
    } catch (...) {
        return state.failure();
    }
}

parser::Result<RowStream> Batch::stream_next(std::uint64_t most_rows) {
    Connection::State& state = *connection_.state_;
    try {
        auto cells = std::make_unique<Cells::State>();
        cells->task.emplace(state.watch, state.overdue(deadline_));
        advance(*cells, true);
        return RowStream(std::move(cells), connection_, most_rows);
    } catch (...) {
        return state.failure();
    }
}

} // namespace db
