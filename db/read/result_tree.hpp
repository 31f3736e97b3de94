#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The rows that were read for each node of a plan, grouped by the parent that they belong to. All
// of it is in the memory that it was made with, which outlives it.

namespace db {

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

} // namespace db
