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

// Names of tables, sorted and each once. They are views into strings that others own.
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

    // Appends a table or column name of the schema, in back-ticks.
    SqlText& name(std::string_view identifier);
    // Appends the name of a table that the statement reads, and notes it. `identifier` outlives the
    // text.
    SqlText& table(std::string_view identifier) {
        tables_.push_back(identifier);
        return name(identifier);
    }
    // Appends `alias.column`; aliases are `t` and a number.
    SqlText& column(unsigned alias, std::string_view identifier);
    SqlText& alias(unsigned alias);

    SqlText& integer(std::int64_t value);
    SqlText& integer(std::uint64_t value);
    SqlText& number(double value); // finite, as JavaScript prints it
    // Appends _utf8mb4 x'…', which is safe in every sql_mode and character set; the comparison
    // still uses the column's collation and index.
    SqlText& text(std::string_view utf8);

    // Marks the place of a list of ids, at most one in a statement; with_ids() fills it.
    SqlText& place_of_ids();
    // Appends a SELECT with a place of ids, which with_ids() repeats for each id in a UNION ALL.
    SqlText& for_each_id(SqlText const& branch);
    SqlText with_ids(std::span<std::uint64_t const> ids) const;
    // Marks the place behind a list of columns, where with_total() puts what `total` selects as one
    // more.
    SqlText& place_of_total();
    SqlText with_total(SqlText const& total) const;
    // Appends ` LIMIT rows`.
    SqlText& limit(std::uint64_t rows);

    std::string const& str() const { return text_; }
    bool empty() const { return text_.empty(); }
    // Adds the names that table() noted. Results of with_ids() and with_total() may lack them: ask
    // the statement that these were made from, which reads the same tables.
    void add_tables_to(TableNames& names) const;

    // Returns the text for people: that of readable(), with a `?` for each value and for the list
    // of ids.
    std::string without_values() const;
    // Returns a hash of all but the values, and of `before`: statements that differ in values alone
    // have the same. It holds only for as long as the process runs.
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

// Returns a statement as people read it and run it by hand: texts in quotes, and columns without
// the name that all of them are sent under (db/read/statement.hpp). A text that would change its
// meaning in quotes with the sql_mode, or has control characters, stays in hexadecimal digits.
std::string readable(std::string_view sql);

} // namespace db
