#include "db/mysql/batch.hpp"

#include "db/mysql/connection_state.hpp"

#include <cppconn/exception.h>

#include <utility>

namespace db {

namespace {

// Every server takes this much (max_allowed_packet), and it is some hundred statements.
constexpr std::size_t most_bytes = 64 * 1024;

constexpr int connection_is_lost = 2013; // the client library's number

} // namespace

Batch::Batch(Connection& connection, std::span<SqlText const* const> statements,
             parser::Deadline deadline, std::chrono::milliseconds patience)
    : connection_(connection), statements_(statements), deadline_(deadline), patience_(patience) {
}

Batch::~Batch() {
    if (coming_ > 0) connection_.cut();
}

std::size_t Batch::send() {
    auto const& state = *connection_.state_;
    std::string text;
    std::size_t count = 0;
    do {
        if (count > 0) text.append("; ");
        text.append(state.in_time(*statements_[count++], deadline_, patience_));
    } while (state.together && count < statements_.size() &&
             text.size() + statements_[count]->str().size() < most_bytes);
    statements_ = statements_.subspan(count);
    driver();
    sent_.reset(state.connection->createStatement());
    sent_->execute(text);
    return count;
}

// If a result is missing, the Connector throws the error that prevented it. If it knows of none, it
// took a lost connection for the end of the stream before.
std::unique_ptr<sql::ResultSet> Batch::result(bool is_first, bool is_stream) try {
    if (!is_first) sent_->getMoreResults();
    sent_->setResultSetType(is_stream ? sql::ResultSet::TYPE_FORWARD_ONLY
                                      : sql::ResultSet::TYPE_SCROLL_INSENSITIVE);
    std::unique_ptr<sql::ResultSet> result(sent_->getResultSet());
    if (!result) throw sql::SQLException("a result is missing");
    return result;
} catch (sql::SQLException const& exception) {
    if (exception.getErrorCode() != 0) throw;
    throw sql::SQLException(exception.what(), "08S01", connection_is_lost);
}

void Batch::advance(Cells::State& cells, bool is_stream) {
    auto coming = std::exchange(coming_, 0); // none, if this fails
    bool const is_first = coming == 0;
    if (is_first) coming = send();
    cells.rows = result(is_first, is_stream);
    coming_ = coming - 1;
    if (coming_ == 0) cells.ending = sent_.get();
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
