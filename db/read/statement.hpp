#pragma once

#include "db/read/select.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

// The parts of the statements of nodes; for the sources of this module alone. `table` is the alias
// of the rows that a condition, or a sort key, is about.

namespace db {

// Numbers the tables of subqueries, in a statement of one form.
class Aliases {
  public:
    Aliases(Form form = Form::usual) : form_(form) {}

    Form form() const { return form_; }
    // Whether the condition that is written now is within one that is asked inside out.
    bool inside_out = false;
    unsigned next() { return next_++; }

  private:
    Form form_;
    unsigned next_ = 2; // t0 holds the entries, t1 their link
};

void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// Appends ` AND <condition>`, or nothing if the condition is always true.
void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases);
// Conditions that must all hold, each with the alias of the rows that it is about.
using ConditionsOfTables = std::vector<std::pair<Condition const*, unsigned>>;

// Returns whether append_joins() joins the rows that such a condition is about.
bool is_joinable(Condition const& condition);
// Appends a JOIN for each relation that `condition` requires, so that an entry has a row for each
// way through them. Adds to `left` what else the condition requires of these rows and of the entry.
void append_joins(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases,
                  ConditionsOfTables& left);
// Returns whether the rows of a link prove that their entries exist: their own table has a foreign
// key. (That of components has none.)
bool vouches_for(Link const& link, ContentType const& target);
// Restricts the rows of a link to one type of parents and one field: ` AND type = … AND field = …`.
void append_link_scope(SqlText& sql, Link const& link, unsigned table);
// Appends the sort key of an entry: its column, or the first of the related rows' values.
void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases);

// The most bytes of a column that relates rows: ids, positions, and names of types and attributes.
inline constexpr std::uint32_t longest_key = 255 * 4;

inline constexpr unsigned entries = 0;
inline constexpr unsigned pairs = 1;

// A statement under construction.
struct Select {
    SqlText sql = SqlPiece("SELECT ");
    RowLayout layout = {};
    Aliases aliases = {};
    std::uint32_t columns = 0; // sent so far

    // Adds a column and returns its number. All have the same name: they are read by their
    // position, but Connector/C++ makes a map of the names for each result, and with names of their
    // own that took a fifth of the instructions for an entry with ten relations.
    std::uint32_t send(unsigned table, std::string_view column,
                       std::optional<std::uint32_t> bytes = longest_key) {
        layout.row_bytes =
            layout.row_bytes && bytes ? std::optional(*layout.row_bytes + *bytes) : std::nullopt;
        if (columns > 0) sql << ", ";
        sql.column(table, column) << " c";
        return columns++;
    }
    std::uint32_t send_count() {
        sql << ", COUNT(*) c";
        return columns++;
    }

    // Adds the cells that the response shows, and those that the branches of the plan need.
    void send_cells(Node const& node) {
        layout.cells = columns;
        for (Attribute const* attribute : node.columns)
            send(entries, attribute->column, most_bytes(*attribute));
        for (std::string const& key : node.keys)
            send(entries, key);
        layout.width = columns - layout.cells;
    }

    Statement finished() { return {std::move(sql), layout}; }
};

// Appends the sort keys, each with a comma behind it.
void append_sort(SqlText& sql, Node const& node, Aliases& aliases);
void append_direction(SqlText& sql, bool descending);
// Appends ` LIMIT … OFFSET …`, as far as the node has them.
void append_limit(SqlText& sql, Node const& node);
// Appends ` IN (<ids>)`.
void append_ids(SqlText& sql);

// The statements of nodes whose rows a link leads to.

// Selects how many rows each parent has, one row for each.
Statement select_counts(Node const& node);
// Returns whether select_difference() counts the same.
bool has_difference(Node const& node);
// Selects the same as select_counts(): how many links each parent has, less those whose entries
// fail.
SqlText select_difference(Node const& node);
// Selects all rows of all parents.
Statement select_link(Node const& node);
// Selects with a start or limit for each parent: it numbers narrow rows, and joins the wide ones to
// them. The joined table keeps the alias of the entries, and the numbered rows have that of the
// link.
Statement select_window(Node const& node);
// Selects the same columns as select_window(), with one SELECT with a LIMIT for each parent. It
// also joins the wide rows afterwards.
SqlText select_branches(Node const& node);

} // namespace db
