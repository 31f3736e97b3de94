#pragma once

#include "db/schema/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// A plan says what will be read, with every name resolved to the schema, and permissions and limits
// applied. SQL is made of a plan and nothing else. It points into the Schema it was bound to.
//
// It is a tree of nodes, each of which is one statement:
//
//     entries of the collection            RowSource::root
//     ├─ author      link JOIN target      RowSource::link
//     ├─ images      (several media attributes of one owner share a node, told apart by slot)
//     └─ zone        link alone            RowSource::pairs: (parent, type, id)
//        ├─ hero     WHERE id IN (…)       RowSource::target, one for each type
//        └─ quote

namespace db {

// A value cast to the type of its column, ready to be written into SQL.
using Literal = std::variant<std::monostate, bool, double, std::string>; // monostate: NULL

enum class Comparator : std::uint8_t {
    eq,
    ne,
    lt,
    lte,
    gt,
    gte,
    in,
    not_in,
    between,
    is_null,
    is_not_null,
    like, // the value is the whole pattern, with `%` and `_`
    not_like,
    likei, // LOWER(column) LIKE LOWER(value): Strapi's `…i` operators
    not_likei,
    eqi, // LOWER(column) = LOWER(value): `$eqi` of Strapi 5
    nei,
    json_contains, // JSON_CONTAINS(column, value)
    never,         // false for any value; without values
};

enum class ConditionKind : std::uint8_t { all_of, any_of, none_of, comparison, related, version };

// A condition on a row. `related` requires one related row that satisfies all members; an entry
// without related rows counts as having one whose columns are all NULL, as under Strapi's LEFT
// JOINs. `version` requires a row of the same document that satisfies all members and to which this
// row's `column`, if there is one, compares as `comparator` says.
struct Condition {
    // Without members all_of is true, and any_of is false.
    ConditionKind kind = ConditionKind::all_of;
    std::vector<Condition> members = {};

    std::string column = {}; // of a comparison; a name from the schema
    Comparator comparator = Comparator::eq;
    std::vector<Literal> values = {};

    Link const* link = nullptr; // of `related`
    ContentType const* target = nullptr;
    bool of_any_locale = true; // of `version`

    bool always_true() const { return kind == ConditionKind::all_of && members.empty(); }
};

// The truth of a condition on a row whose columns are all NULL, in SQL's three values.
enum class Truth : std::uint8_t { no, unknown, yes };
Truth on_nulls(Condition const& condition);

// Adds a condition to those that must all hold, keeping them flat.
void require(Condition& all, Condition condition);

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

enum class RowSource : std::uint8_t { root, link, pairs, target };

struct Node {
    RowSource source = RowSource::root;
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
           (node.source != RowSource::root && is_behind_inverse(nodes, nodes[node.parent]));
}

inline JsonRules const& json_of(Cms const& cms, ReadPlan::Format format) {
    bool const is_own = format == ReadPlan::Format::flat || !cms.json_of_v4;
    return is_own ? cms.json : *cms.json_of_v4;
}

// Whether a plan that was never read is expected to be expensive: by how many relations its filters
// and sorts follow, each of which is looked for in every row, and by how many tables it reads.
// Front ends ask for a handful of either.
bool looks_expensive(ReadPlan const& plan);

// Replaces what is compared with a text that the column's character set cannot hold. The database
// refuses to compare such texts; no value of the column equals, contains or precedes one.
void replace_unheld_texts(ReadPlan& plan);

} // namespace db
