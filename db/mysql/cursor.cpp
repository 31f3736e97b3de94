#include "db/mysql/cursor.hpp"

#include "db/mysql/connection_state.hpp"

#include <cppconn/exception.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace db {

namespace {

constexpr std::size_t kept_bytes = 1024 * 1024; // a connection may keep this much for large rows

// Every server takes this much (max_allowed_packet), and it is some hundred statements.
constexpr std::size_t most_bytes = 64 * 1024;

constexpr int connection_is_lost = 2013; // the client library's number

} // namespace

Cells::Cells(std::unique_ptr<State> state) : state_(std::move(state)) {
}
Cells::Cells(Cells&&) noexcept = default;
Cells& Cells::operator=(Cells&&) noexcept = default;
Cells::~Cells() = default;

std::string_view Cells::text(unsigned column) {
    state_->cell = state_->rows->getString(column + 1);
    if (state_->cell->empty() && state_->rows->wasNull()) return {};
    return state_->cell.asStdString();
}

std::uint64_t Cells::id(unsigned column) {
    return state_->rows->getUInt64(column + 1);
}

// SQLString cannot be moved, so each use of text() copies once more.
std::string_view Cells::copy(unsigned column, std::pmr::memory_resource& memory) {
    sql::SQLString const cell = state_->rows->getString(column + 1);
    std::string const& text = cell.asStdString();
    if (text.empty()) return state_->rows->wasNull() ? std::string_view() : std::string_view("");
    state_->widest = std::max(state_->widest, text.size());
    auto* copy = static_cast<char*>(memory.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
}

std::size_t Cursor::rows() const {
    return state_->rows->rowsCount();
}

bool Cursor::next() {
    return state_->rows->next();
}

RowStream::RowStream(std::unique_ptr<State> state, Connection& connection, std::uint64_t most_rows)
    : Cells(std::move(state)), connection_(&connection), rows_left_(most_rows) {
}

RowStream::RowStream(RowStream&& other) noexcept
    : Cells(std::move(other)),
      connection_(std::exchange(other.connection_, nullptr)),
      rows_left_(other.rows_left_) {
}

// Without this the Connector would read all rows that are left.
RowStream::~RowStream() {
    if (connection_) connection_->cut();
}

// Connector/C++ 1.1.12 takes any error but a lost connection for the end of the rows. Asking for
// one more result, which sends nothing, still finds the error: the call fails with it, and gives no
// result if there was none. (It uses an exception of its own for that, 18,000 instructions; this is
// avoided if all rows that there can be have come, and if a result follows, which an error would
// have prevented.)
parser::Result<bool> RowStream::next() {
    try {
        if (state_->rows->next()) {
            --rows_left_;
            return true;
        }
        if (rows_left_ > 0 && state_->ending)
            std::unique_ptr<sql::ResultSet> const none(state_->ending->getResultSet());
        auto* const connection = std::exchange(connection_, nullptr);
        if (state_->widest > kept_bytes) connection->state_->holds_much = true;
        state_->task.reset();
        return false;
    } catch (...) {
        return std::exchange(connection_, nullptr)->state_->failure();
    }
}

StatementBatch::StatementBatch(Connection& connection, std::span<SqlText const* const> statements,
                               parser::Deadline deadline, std::chrono::milliseconds patience)
    : connection_(connection), statements_(statements), deadline_(deadline), patience_(patience) {
}

StatementBatch::~StatementBatch() {
    if (coming_ > 0) connection_.cut();
}

std::size_t StatementBatch::send() {
    auto const& state = *connection_.state_;
    sql::SQLString text;
    std::size_t count = 0;
    do {
        if (count > 0) text.append("; ");
        state.append(text, *statements_[count++], deadline_, patience_);
    } while (state.together && count < statements_.size() &&
             text.length() + statements_[count]->str().size() < most_bytes);
    statements_ = statements_.subspan(count);
    driver();
    sent_.reset(state.connection->createStatement());
    sent_->execute(text);
    return count;
}

// If a result is missing, the Connector throws the error that prevented it. If it knows of none, it
// took a lost connection for the end of the stream before.
std::unique_ptr<sql::ResultSet> StatementBatch::result(bool is_first, bool is_stream) try {
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

void StatementBatch::advance(Cells::State& cells, bool is_stream) {
    auto coming = std::exchange(coming_, 0); // none, if this fails
    bool const is_first = coming == 0;
    if (is_first) coming = send();
    cells.rows = result(is_first, is_stream);
    coming_ = coming - 1;
    if (coming_ == 0) cells.ending = sent_.get();
}

parser::Result<Cursor> StatementBatch::next() {
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

parser::Result<RowStream> StatementBatch::stream_next(std::uint64_t most_rows) {
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
