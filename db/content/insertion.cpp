#include "db/content/insertion.hpp"

namespace db {

namespace {

// Bytes that wait, of SQL and of the notes beside it, for each of perhaps a hundred tables. This is
// a small part of what a server takes in one statement (max_allowed_packet, 16 MB and more), and
// has enough rows to make the cost of a statement negligible.
constexpr std::size_t full = 256 * 1024;

} // namespace

bool is_refusal(parser::Error const& error) {
    return error.kind == parser::ErrorKind::internal;
}

// Extracts the server's own words from `database error 1062: (conn:7) Duplicate entry …`.
std::string refusal(parser::Error const& error) {
    auto const at = error.cause.find(": ");
    std::string reason = at == error.cause.npos ? error.cause : error.cause.substr(at + 2);
    if (reason.starts_with("(conn")) reason.erase(0, reason.find(") ") + 2);
    return "the database refused the row: " + reason;
}

Insertion::Insertion(Connection& connection, Mistakes& mistakes, std::string_view table,
                     std::vector<std::string> const& columns, Insertion* referred)
    : connection_(connection), mistakes_(mistakes), referred_(referred) {
    (head_ << "INSERT INTO ").name(table) << " (";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) head_ << ", ";
        head_.name(columns[i]);
    }
    head_ << ") VALUES ";
}

SqlText& Insertion::Row::next() {
    if (!sql_.empty()) sql_ << ", ";
    return sql_;
}

parser::Result<Insertion::Row> Insertion::row(Origin const& place) {
    if (!rows_.empty()) size_ += sizeof(Waiting) + rows_.back().values.str().size();
    if (size_ > full)
        if (auto flushed = flush(); !flushed) return flushed.error();
    rows_.push_back({place, {}});
    return Row(rows_.back().values);
}

parser::Result<void> Insertion::flush() {
    if (rows_.empty()) return {};
    if (referred_)
        if (auto sent = referred_->flush(); !sent) return sent;
    // Rows that refer to a refused row would be refused without an error of their own.
    parser::Result<void> done;
    if (!referred_ || !referred_->has_refused_) done = send(0, rows_.size());
    if (!done && is_refusal(done.error())) done = send_each();
    rows_.clear();
    size_ = 0;
    return done;
}

parser::Result<void> Insertion::send(std::size_t first, std::size_t last) {
    SqlText sql = head_;
    for (std::size_t i = first; i < last; ++i)
        sql << (i > first ? SqlPiece(", (") : SqlPiece("(")) << rows_[i].values << ")";
    return connection_.command(sql);
}

// Sends each row alone, since the server does not say which rows it refuses.
parser::Result<void> Insertion::send_each() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        auto const done = send(i, i + 1);
        if (done) continue;
        if (!is_refusal(done.error())) return done;
        has_refused_ = true;
        mistakes_.add(rows_[i].place, refusal(done.error()));
    }
    return {};
}

} // namespace db
