#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/plan/read_plan.hpp"
#include "db/read/form.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The statements of a plan, in the subset of SQL that MariaDB 10.6 and MySQL 8 share, and how their
// rows are read.

namespace db {

// Says what the columns of a result are, counted from 0. They depend on the source of the node:
//
//     root    id, cells…
//     target  id, cells…
//     link    parent, order, slot, id, cells…
//     pairs   parent, order, type, id
//     count   parent, id (the number)
//
// `order` is left out if the link has none, `slot` if the node has one slot, `type` if the link has
// one type, since each cell costs time, even NULL.
struct RowLayout {
    using Column = std::optional<std::uint32_t>;

    Column parent = {};      // id of the parent's row; absent: each row is its own parent
    Column order = {};       // in the link
    Column slot = {};        // Link::field of one of the node's slots
    Column type = {};        // UID of the target
    std::uint32_t id = 0;    // of the entry
    std::uint32_t cells = 1; // the first of Node::columns, then Node::keys
    std::uint32_t width = 0; // how many cells there are
    // The most bytes of a row, by what the schema says of its columns; absent if that is not known.
    std::optional<std::uint32_t> row_bytes = 0;
    // Whether each parent's rows come in the order of the response. The reader sorts others by
    // `order` and id, which costs less than letting the server sort wide rows.
    bool sorted = false;
    // Whether rows come whose id is NULL, because a link leads to an entry that does not exist. The
    // reader leaves them out, and notes that there are some.
    bool has_missing = false;
};

// The statement of one node. Below the root, `sql` has a place for the ids of the parents, or for
// those of a target's rows. It is empty if the parent's rows have everything: then the columns are
// cells of these rows.
struct Statement {
    SqlText sql;
    RowLayout layout;
    Form other_form = Form::usual; // see select_node(); `usual` if there is none
};

struct PlanStatements {
    std::vector<Statement> nodes; // parallel to ReadPlan::nodes
    SqlText total; // one row with one column; the root's has a place for it, behind its cells
    Form other_total = Form::usual; // see select_total(); `usual` if there is none
};

// A plan and what is needed to read it. The statements depend on the plan alone, so they are
// written once, however often it is read.
struct SelectedPlan : ReadPlan {
    PlanStatements statements;
    TableNames tables; // read by the statements; views into the schema
    // A hash of the statements: plans that differ in values alone have the same.
    std::uint64_t shape = 0;
    bool looks_expensive = false; // see looks_expensive()

    // Returns a number that statements of one node share if they differ in values alone.
    // The total is the one after all nodes.
    std::uint64_t kind(std::uint32_t node) const { return shape + node; }
    std::uint32_t total() const { return static_cast<std::uint32_t>(nodes.size()); }
    Form other_form(std::uint32_t node) const {
        return node == total() ? statements.other_total : statements.nodes[node].other_form;
    }
};

SelectedPlan select(ReadPlan plan);

// Return the statement of one node, or of the total, in another form, whose rows are read in the
// same way.
SqlText select_node(ReadPlan const& plan, std::uint32_t node, Form form);
SqlText select_total(ReadPlan const& plan, Form form);

// Returns whether the statement of a node sorts its entries by values of other rows.
bool sorts_by_relations(Node const& node);
// Returns a statement that counts the links of a node, with a place for the ids of the parents.
SqlText count_links(Node const& node);

// Returns the most bytes of an attribute's cell; absent if that is not known.
std::optional<std::uint32_t> most_bytes(Attribute const& attribute);

// Returns one line per node, indented below its parent, with conditions as the SQL that asks for
// them.
std::string dump(ReadPlan const& plan);

} // namespace db
