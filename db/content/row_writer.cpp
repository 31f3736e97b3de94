#include "db/content/row_writer.hpp"

#include "db/content/value.hpp"

#include <utility>
#include <vector>

namespace db {

namespace {

// Bytes that wait, of SQL and of the notes beside it, for each of perhaps a hundred tables. This is
// a small part of what a server takes in one statement (max_allowed_packet, 16 MB and more), and
// has enough rows to make the cost of a statement negligible.
constexpr std::size_t full = 256 * 1024;

// Returns whether the server refused a row.
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

// Returns the column of the other side's order; empty if it has none.
std::string inverse_order_of(Attribute const& owning) {
    auto const* other = owning.is_polymorphic() ? nullptr : owning.other_side();
    return other ? other->link.order_column : std::string();
}

void append_position(SqlText& row, std::optional<double> place) {
    if (place)
        next_value(row).number(*place);
    else
        next_value(row) << "NULL";
}

SqlText update_of(Link const& link, LinkPair const& pair) {
    SqlText sql;
    (sql << "UPDATE ").name(link.table) << " SET ";
    (sql.name(link.target_column) << " = ").integer(pair.target);
    if (!link.target_type_column.empty())
        ((sql << ", ").name(link.target_type_column) << " = ").text(pair.target_type);
    return (sql << " WHERE `id` = ").integer(pair.owner);
}

} // namespace

// The rows of one table that wait to be sent.
class RowWriter::Insertion {
  public:
    // `referred` has the rows that these refer to, which are sent first; null if there are none.
    Insertion(RowWriter& writer, std::string_view table, std::vector<std::string> const& columns,
              Insertion* referred = nullptr)
        : connection_(writer.connection_), errors_(writer.errors_), referred_(referred) {
        SqlText names;
        for (auto const& column : columns)
            next_value(names).name(column);
        (head_ << "INSERT INTO ").name(table) << " (" << names << ") VALUES ";
    }

    // `values` are those of the columns, with commas between them.
    parser::Result<void> add(SqlText values, FilePlace const& place) {
        if (size_ > full)
            if (auto flushed = flush(); !flushed) return flushed;
        rows_.emplace_back(place, std::move(values));
        size_ += sizeof(rows_.back()) + rows_.back().second.str().size();
        return {};
    }

    parser::Result<void> flush() {
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

  private:
    parser::Result<void> send(std::size_t first, std::size_t last) {
        SqlText sql = head_;
        for (std::size_t i = first; i < last; ++i)
            sql << (i > first ? SqlPiece(", (") : SqlPiece("(")) << rows_[i].second << ")";
        return connection_.command(sql);
    }

    // Sends each row alone, since the server does not say which rows it refuses.
    parser::Result<void> send_each() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const done = send(i, i + 1);
            if (done) continue;
            if (!is_refusal(done.error())) return done;
            has_refused_ = true;
            errors_.add(rows_[i].first, refusal(done.error()));
        }
        return {};
    }

    Connection& connection_;
    ContentErrors& errors_;
    Insertion* referred_;
    SqlText head_;
    std::vector<std::pair<FilePlace, SqlText>> rows_;
    std::size_t size_ = 0; // bytes of the rows
    bool has_refused_ = false;
};

RowWriter::RowWriter(Connection& connection, ContentErrors& errors, Uniqueness& uniqueness,
                     RetainedValues const& retained)
    : connection_(connection), errors_(errors), uniqueness_(uniqueness), retained_(retained) {
}

RowWriter::~RowWriter() = default;

parser::Result<void> RowWriter::add(Record const& record, FilePlace const& place) {
    auto const& type = *record.type;
    SqlText row;
    next_value(row).integer(record.id);
    for (std::size_t index = 0; index < type.attributes.size(); ++index) {
        if (!type.attributes[index].is_scalar()) continue;
        auto const& value = record.values[index];
        next_value(row) << (value.empty() ? SqlText(SqlPiece("NULL")) : value);
    }
    retained_.append_links(row, type, record.id);
    if (auto done = rows_of(type).add(std::move(row), place); !done) return done;
    uniqueness_.take(type, record.id, place);
    for (auto const& parts : record.parts)
        if (auto done = add_parts(record, parts, place); !done) return done;
    return {};
}

parser::Result<void> RowWriter::add_parts(Record const& record, Record::Parts const& parts,
                                          FilePlace const& place) {
    auto const& attribute = record.attribute(parts.attribute);
    std::uint64_t order = 0;
    for (auto const& part : parts.records) {
        if (auto done = add(part, place); !done) return done;
        SqlText row;
        next_value(row).integer(record.id);
        next_value(row).integer(part.id);
        next_value(row).text(part.type->uid);
        next_value(row).text(attribute.name);
        // Strapi numbers the components of a list; a single one has no order.
        if (attribute.many)
            next_value(row).integer(++order);
        else
            next_value(row) << "NULL";
        auto done = parts_of(*record.type, attribute.link).add(std::move(row), place);
        if (!done) return done;
    }
    return {};
}

parser::Result<void> RowWriter::add(Attribute const& owning, LinkPair const& pair,
                                    FilePlace const& place) {
    auto const& link = owning.link;
    if (link.storage != Link::Storage::table) return connection_.command(update_of(link, pair));
    SqlText row;
    next_value(row).integer(pair.owner);
    next_value(row).integer(pair.target);
    if (owning.is_polymorphic()) {
        next_value(row).text(pair.target_type);
        if (pair.field.empty())
            next_value(row) << "NULL";
        else
            next_value(row).text(pair.field);
        // Both sides share the column.
        append_position(row, pair.inverse ? pair.inverse : pair.position);
    } else {
        if (!link.order_column.empty()) append_position(row, pair.position);
        if (!inverse_order_of(owning).empty()) append_position(row, pair.inverse);
    }
    return pairs_of(owning).add(std::move(row), place);
}

parser::Result<void> RowWriter::flush() {
    for (auto& [table, insertion] : insertions_)
        if (auto done = insertion->flush(); !done) return done;
    return {};
}

RowWriter::Insertion& RowWriter::rows_of(ContentType const& type) {
    auto& found = insertions_[type.table];
    if (found) return *found;
    std::vector<std::string> columns{"id"};
    for (auto const& attribute : type.attributes)
        if (attribute.is_scalar()) columns.push_back(attribute.column);
    auto const& links = retained_.links_of(type);
    columns.insert(columns.end(), links.begin(), links.end());
    found = std::make_unique<Insertion>(*this, type.table, columns);
    return *found;
}

RowWriter::Insertion& RowWriter::parts_of(ContentType const& type, Link const& link) {
    auto& found = insertions_[link.table];
    if (found) return *found;
    std::vector<std::string> const columns{link.parent_column, link.target_column, "component_type",
                                           link.field_column, link.order_column};
    found = std::make_unique<Insertion>(*this, link.table, columns, &rows_of(type));
    return *found;
}

RowWriter::Insertion& RowWriter::pairs_of(Attribute const& owning) {
    auto const& link = owning.link;
    auto& found = insertions_[link.table];
    if (found) return *found;
    std::vector<std::string> columns{link.parent_column, link.target_column};
    if (owning.is_polymorphic()) columns.insert(columns.end(), {link.target_type_column, "field"});
    for (auto const& column : {link.order_column, inverse_order_of(owning)})
        if (!column.empty()) columns.push_back(column);
    found = std::make_unique<Insertion>(*this, link.table, columns);
    return *found;
}

} // namespace db
