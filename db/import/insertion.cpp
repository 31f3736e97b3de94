#include "db/import/insertion.hpp"

namespace db {

namespace {

// Bytes of SQL: a small part of what a server takes in one statement (max_allowed_packet, 16 MB
// and more), and enough rows for its cost to vanish.
constexpr std::size_t full = 256 * 1024;

} // namespace

Insertion::Insertion(Connection& connection, std::string_view table,
                     std::vector<std::string> const& columns, Insertion* referred)
    : connection_(connection), referred_(referred) {
    (head_ << "INSERT INTO ").name(table) << " (";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) head_ << ", ";
        head_.name(columns[i]);
    }
    head_ << ") VALUES ";
}

SqlText& Insertion::Row::next() {
    if (!first_) sql_ << ", ";
    first_ = false;
    return sql_;
}

parser::Result<Insertion::Row> Insertion::row(Origin const& place) {
    if (sql_.str().size() > full)
        if (auto flushed = flush(); !flushed) return flushed.error();
    if (sql_.empty()) {
        sql_ = head_;
        first_ = place;
        sql_ << "(";
    } else {
        sql_ << "), (";
    }
    last_ = place;
    return Row(sql_);
}

parser::Result<void> Insertion::flush() {
    if (sql_.empty()) return {};
    if (referred_)
        if (auto sent = referred_->flush(); !sent) return sent;
    sql_ << ")";
    auto done = connection_.command(sql_);
    sql_ = {};
    if (done) return {};
    std::string where = first_.file;
    if (first_.line > 0) where += ':' + std::to_string(first_.line);
    if (last_.line != first_.line) where += " to " + std::to_string(last_.line);
    auto error = done.error();
    error.message = where + ": the database refused a row";
    return error;
}

} // namespace db
