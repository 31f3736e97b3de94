#pragma once

#include "db/plan/condition.hpp"
#include "db/schema/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// A plan says what will be read, with every name resolved to the schema, and permissions and limits
// applied. SQL is made of a plan and nothing else. It points into the Schema it was bound to.
//
// It is a tree of nodes, each of which is one statement:
//
//     entries of the collection            Source::root
//     ├─ author      link JOIN target      Source::link
//     ├─ images      (several media attributes of one owner share a node, told apart by slot)
//     └─ zone        link alone            Source::pairs: (parent, type, id)
//        ├─ hero     WHERE id IN (…)       Source::target, one for each type
//        └─ quote

namespace db {

// A column to sort by, reached over `hops` (none: a column of the entries).
struct SortColumn {
    struct Hop {
        Link const* link;
        ContentType const* target;
    };
    std::vector<Hop> hops;
    std::string column;
    bool descending = false;
};

// A populated attribute of a node's entries: its rows are those of `node` with this `slot`.
struct Branch {
    Attribute const* attribute;
    std::uint32_t node;
    std::uint32_t slot = 0;
};

struct Node {
    enum class Source : std::uint8_t { root, link, pairs, target };

    Source source = Source::root;
    std::uint32_t parent = 0;          // index in ReadPlan::nodes; the root is its own
    ContentType const* type = nullptr; // of the entries; null for pairs
    Link const* link = nullptr;        // for the sources link and pairs
    // Attributes served by the same link table, by slot; more than one only for media.
    std::vector<Attribute const*> slots = {};

    std::vector<Attribute const*> columns = {}; // scalars of the response; the id is always read
    std::vector<std::string> keys = {};         // further columns that its branches need

    Condition where = {};
    std::vector<SortColumn> sort = {};       // then the link order, then id
    bool reverse = false;                    // the link order backwards
    bool without_parents = false;            // rows that are among the parents' are left out
    std::optional<std::uint64_t> start = {}; // of each parent's rows
    std::optional<std::uint64_t> limit = {}; // of each parent's rows
    // Of pairs: rows of any component of the project are shown, also of those that `targets` lacks.
    bool of_any_part = false;
    // The rows of each parent are counted instead of read. A node of pairs counts these, whatever
    // rows they lead to, and their targets are not read.
    bool count = false;

    std::vector<Branch> branches = {};       // in the order of the response
    std::vector<std::uint32_t> targets = {}; // of pairs: nodes of source target
};

// The numbers of meta.pagination.
struct Page {
    bool offset_form = false; // start/limit instead of page/pageSize
    double page = 1;          // Strapi 4.26 echoes fractions where it accepts them
    double page_size = 25;
    std::uint64_t start = 0;
    std::optional<std::uint64_t> limit = {}; // absent: all
    bool counted = true;                     // the statements count the entries
    bool counts_nothing = false;             // the total is 0, whatever there is
};

struct ReadPlan {
    enum class Outcome : std::uint8_t {
        list,        // data: [], meta.pagination
        entry,       // data: {}, or not found
        array,       // data: [], no pagination: a single type in all its locales
        plain_list,  // [], without an envelope anywhere: responses of plugins
        plain_entry, // {}
        number,      // the number of entries
    };
    // The formats that Strapi 5 may be asked for; Strapi 4 has one.
    enum class Format : std::uint8_t {
        flat,      // {"id","documentId",…}, relations as entries, or null
        documents, // with `Strapi-Response-Format: v4`: {"id","documentId","attributes":{…}}
    };
    JsonRules const* json = &strapi4.json;
    Outcome outcome = Outcome::list;
    std::vector<Node> nodes; // parents before their children; [0] is the root
    Page page;
};

// Whether what the node reads is behind the inverse side of a polymorphic relation, however deep.
// There the CMS returns what it has read as it is.
inline bool is_behind_inverse(std::vector<Node> const& nodes, Node const& node) {
    return (!node.slots.empty() && node.slots[0]->is_morph_inverse()) ||
           (node.source != Node::Source::root && is_behind_inverse(nodes, nodes[node.parent]));
}

inline JsonRules const& json_of(Cms const& cms, ReadPlan::Format format) {
    bool const is_own = format == ReadPlan::Format::flat || !cms.json_of_v4;
    return is_own ? cms.json : *cms.json_of_v4;
}

} // namespace db
