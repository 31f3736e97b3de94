#pragma once

#include "db/mysql/cursor.hpp"
#include "db/read/result_tree.hpp"
#include "db/read/select.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace db {

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
