#pragma once

#include "db/read/cell_size.hpp"
#include "db/read/condition_sql.hpp"
#include "db/read/select.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

// The parts that the statements of all nodes have in common; for the sources of this module alone.

namespace db {

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

} // namespace db
