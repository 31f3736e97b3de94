#pragma once

#include "db/plan/read_plan.hpp"
#include "db/select/form.hpp"
#include "db/sql/sql_text.hpp"

#include <cstdint>
#include <optional>
#include <vector>

// The statements of a plan, in the subset of SQL that MariaDB 10.6 and MySQL 8 share, and how their
// rows are read.

namespace db {

// Which column of a result says what, counted from 0. By the source of the node:
//
//     root    id, cells…
//     target  id, cells…
//     link    parent, order, slot, id, cells…
//     pairs   parent, order, type, id
//     count   parent, id (the number)
//
// without `order` where the link has none, `slot` where the node has one slot, `type` where the
// link has one type: each cell costs, NULL as well.
struct RowLayout {
    using Column = std::optional<std::uint32_t>;

    Column parent = {};      // id of the parent's row; absent: each row is its own
    Column order = {};       // in the link
    Column slot = {};        // Link::field of one of the node's slots
    Column type = {};        // UID of the target
    std::uint32_t id = 0;    // of the entry
    std::uint32_t cells = 1; // the first of Node::columns, then Node::keys
    std::uint32_t width = 0; // how many cells there are
    // A row has at most so many bytes, by what the schema says of its columns; absent: no telling.
    std::optional<std::uint32_t> row_bytes = 0;
    // Each parent's rows come in the order in which they are answered. The reader sorts others by
    // `order` and id, which costs less than letting the server sort wide rows.
    bool sorted = false;
};

// Of one node. Below the root `sql` has a place for the ids of the parents; of a target, for the
// rows' own. It is empty where the parent's rows say it all: then the columns are their cells.
struct Statement {
    SqlText sql;
    RowLayout layout;
    Form other_form = Form::usual; // see select_node(); `usual`: there is none
};

struct Statements {
    std::vector<Statement> nodes; // parallel to ReadPlan::nodes
    SqlText total; // one row with one column; the root's has a place for it, behind its cells
};

// A plan and what it takes to read it. The statements depend on the plan alone, and so are written
// once for all the times that it is read.
struct SelectedPlan : ReadPlan {
    Statements statements;
    TableNames tables; // that the statements read; of the schema
    // What plans have in common that differ in values alone: a hash of their statements.
    std::uint64_t shape = 0;
    bool looks_dear = false; // see db/plan/estimate.hpp

    // What statements have in common that differ in values alone.
    std::uint64_t kind(std::uint32_t node) const { return shape + node; }
};

SelectedPlan select(ReadPlan plan);

// The statement of one node in another form, whose rows are read in the same way.
SqlText select_node(ReadPlan const& plan, std::uint32_t node, Form form);

} // namespace db
