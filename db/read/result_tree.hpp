#pragma once

#include "db/read/select.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The rows that were read for each node of a plan, grouped by the parent that they belong to. All
// of it is in the memory that it was made with, which outlives it.

namespace db {

class Cells;

struct Row {
    std::uint64_t id = 0;     // of the entry; of pairs: of the target; of counts: the count
    std::uint64_t parent = 0; // id of the parent's row; of a target: its own
    std::uint32_t slot = 0;   // index in Node::slots
    std::uint32_t target = 0; // of pairs: index in Node::targets
    std::uint32_t entry = 0;  // index of the entry, which is read once for all parents
    double order = 0;         // in the link
};

struct Rows {
    // The root's rows are in the order of the response. Those of other nodes are sorted by parent
    // and slot, and within these are in the order of the response.
    std::pmr::vector<Row> rows = {};
    // The columns, then the keys, of each entry as the text of MySQL's protocol; data() is null for
    // NULL.
    std::pmr::vector<std::string_view> cells = {};
    std::size_t width = 0; // cells of an entry
    std::uint32_t entries = 0;
    bool had_missing = false; // see RowLayout::has_missing

    std::string_view const* cells_of(Row const& row) const {
        return cells.data() + row.entry * width;
    }
    std::span<Row const> of(std::uint64_t parent, std::uint32_t slot = 0) const;
    // Groups the rows by parent and slot. Inside a group they keep their order if SQL sorted them;
    // otherwise they get that of the link, then of the ids. The same pair at the same place of that
    // order counts once, as under Strapi's DISTINCT.
    void arrange(bool reverse, bool sorted);
};

struct ResultTree {
    ResultTree() : ResultTree(*std::pmr::new_delete_resource()) {}
    explicit ResultTree(std::pmr::memory_resource& memory)
        : text(std::make_unique<std::pmr::monotonic_buffer_resource>(32 * 1024, &memory)) {}
    ResultTree(ResultTree&&) = default;
    ResultTree& operator=(ResultTree&& other) noexcept { // swaps, so that rows stay in their memory
        nodes.swap(other.nodes);
        total = other.total;
        text.swap(other.text);
        text_bytes = other.text_bytes;
        unlisted.swap(other.unlisted);
        return *this;
    }

    std::vector<Rows> nodes;            // parallel to ReadPlan::nodes
    std::optional<std::uint64_t> total; // of the list, if it was asked for

    // What rows of Node::of_any_part name as their component, if the plan does not read it.
    std::set<std::string, std::less<>> unlisted;

    // Holds the text of all cells. It is a pointer so that cells stay valid when the tree moves.
    std::unique_ptr<std::pmr::monotonic_buffer_resource> text;
    std::size_t text_bytes = 0;
};

// Fills a ResultTree row by row: knows what the columns of a statement are, and which ids the rows
// of a node ask of the nodes below. Plan, limits and memory outlive it.
class ResultBuilder {
  public:
    ResultBuilder(SelectedPlan const& plan, parser::Limits const& limits,
                  parser::MemoryShare& memory);

    // From now on the rows are those of this node.
    void begin(std::uint32_t node) {
        if (node_ != node) entries_.clear();
        node_ = node;
    }
    // Reserves space for so many more rows.
    void reserve(std::uint64_t rows);
    // Fails with `over_limit` by rows or bytes.
    parser::Result<void> take(Cells& cells);
    // Declares that this column of the next row is the total.
    void expect_total(std::uint32_t column) { total_column_ = column; }
    bool expects_total() const { return total_column_.has_value(); }
    // Takes the pairs that the rows of the parent contain.
    void take_pairs_of_parents();
    // Puts a node's rows in order, after the last one has come.
    void end(std::uint32_t node);

    // Returns the ids of the parent's rows for which this node is read, once each, ascending.
    std::vector<std::uint64_t> parent_ids(std::uint32_t node) const;

    ResultTree& result() { return result_; }

  private:
    Row place_of_row(Cells& cells);
    parser::Result<void> take_cells(Cells& cells, unsigned column, Rows& rows);
    std::uint32_t target_of(Node const& pairs, std::string_view uid);
    RowLayout const& layout() const { return plan_.statements.nodes[node_].layout; }

    using EntriesById = boost::unordered_flat_map<
        std::uint64_t, std::uint32_t, boost::hash<std::uint64_t>, std::equal_to<std::uint64_t>,
        std::pmr::polymorphic_allocator<std::pair<std::uint64_t const, std::uint32_t>>>;

    SelectedPlan const& plan_;
    parser::Limits const& limits_;
    ResultTree result_;
    std::uint32_t node_ = 0;
    EntriesById entries_;  // of the current node
    std::size_t rows_ = 0; // of all nodes, including dropped ones
    RowLayout::Column total_column_;
};

} // namespace db
