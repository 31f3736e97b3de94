#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// SQL under construction. User text can't become SQL by accident: plain pieces are compile-time
// strings, names come from the schema and are quoted, and values are typed literals.

namespace db {

// Names of tables, sorted and each once. They belong to whoever named them.
using TableNames = std::vector<std::string_view>;

// A piece of SQL from the source code. Nothing that is known only at run time converts to it.
class SqlPiece {
  public:
    consteval SqlPiece(char const* text) : text_(text) {}

  private:
    friend class SqlText;
    std::string_view text_;
};

class SqlText {
  public:
    SqlText() = default;
    SqlText(SqlPiece piece) : text_(piece.text_) {}

    SqlText& operator<<(SqlPiece piece) {
        text_.append(piece.text_);
        return *this;
    }
    SqlText& operator<<(SqlText const& other);

    // A table or column name of the schema, in back-ticks.
    SqlText& name(std::string_view identifier);
    // The same of a table that the statement reads, and notes it. `identifier` outlives the text.
    SqlText& table(std::string_view identifier) {
        tables_.push_back(identifier);
        return name(identifier);
    }
    // `alias.column`; aliases are `t` and a number.
    SqlText& column(unsigned alias, std::string_view identifier);
    SqlText& alias(unsigned alias);

    SqlText& integer(std::int64_t value);
    SqlText& integer(std::uint64_t value);
    SqlText& number(double value); // finite, as JavaScript prints it
    // _utf8mb4 x'…': safe by construction in every sql_mode and character set, and the comparison
    // still uses the column's collation and index.
    SqlText& text(std::string_view utf8);

    // The place of a list of ids, one in a statement at most, and the statement with such a list.
    SqlText& place_of_ids();
    // A SELECT with a place of ids that is there once for each of them, all in a UNION ALL.
    SqlText& for_each_id(SqlText const& branch);
    SqlText with_ids(std::span<std::uint64_t const> ids) const;
    // The place behind a list of columns, and the statement with what `total` selects as one more.
    SqlText& place_of_total();
    SqlText with_total(SqlText const& total) const;
    // ` LIMIT rows`, at the end.
    SqlText& limit(std::uint64_t rows);

    std::string const& str() const { return text_; }
    bool empty() const { return text_.empty(); }
    // Adds what table() noted. Not that of with_ids() and with_total(), which is the same.
    void add_tables_to(TableNames& names) const;

    // For people to read: as readable(), with a `?` in the place of each value and of the list of
    // ids.
    std::string without_values() const;
    // A hash of all but the values, and of `before`: statements that differ in values alone have
    // the same. Only for as long as the process runs.
    std::uint64_t shape(std::uint64_t before = 0) const;

  private:
    template<class Append>
    SqlText& value(Append append);

    struct Range {
        std::uint32_t begin, end;
    };
    std::string text_;
    std::size_t ids_at_ = std::string::npos;
    Range branch_ = {0, 0}; // empty: there is none
    std::size_t total_at_ = std::string::npos;
    std::vector<Range> values_; // where they are in the text, ascending
    // In the order of the text. Most statements read one table, or a link and its target.
    boost::container::small_vector<std::string_view, 2> tables_;
};

// A statement as people read it and run it by hand: texts in quotes, and columns without the name
// that all of them are sent under (db/select/select.cpp). A text that quotes would not keep in
// every sql_mode stays in hexadecimal digits.
std::string readable(std::string_view sql);

} // namespace db
