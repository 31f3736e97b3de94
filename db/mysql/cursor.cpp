#include "db/mysql/cursor.hpp"

#include "db/mysql/connection_state.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace db {

namespace {

constexpr std::size_t kept_bytes = 1024 * 1024; // a connection may keep this much for large rows

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

} // namespace db
