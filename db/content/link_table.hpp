#pragma once

#include "db/content/clearance.hpp"
#include "db/content/mistakes.hpp"
#include "db/content/pair_table.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace db {

// One end of a pair: a row. Rows of one document have the same `entry`; without documents it is the
// id.
struct LinkEnd {
    std::uint64_t id = 0;
    std::uint64_t entry = 0;
    bool is_copy = false;   // a draft made for a published entry, which reports its errors
    bool is_others = false; // of a type that the folder does not have: its other pairs stay
};

// Gathers the pairs of one relation from both its sides. A pair may be named on either side or on
// both. Each side has its own order: that of its list, and behind it the pairs that only the other
// side names, as they came.
//
// The list of a line takes the place of the pairs that the database has. To an entry that the
// folder does not have its pairs are added behind the others; if it can have only one, it loses the
// old one.
class LinkTable {
  public:
    // `type` and `field` tell the targets of a polymorphic relation apart.
    struct Linked {
        LinkEnd end;
        ContentType const* type = nullptr;
        std::string field; // may be empty if the type has only one attribute that fits
    };

    // `owning` is an attribute of `type` that owns its link.
    LinkTable(ContentType const& type, Attribute const& owning);

    // Adds what `entry` lists in `attribute`, which is either side of the relation.
    void add(Attribute const& attribute, LinkEnd entry, std::vector<Linked> const& targets);
    // Removes what the database has in that list; of a relation that may be with several types, if
    // there are `types`, with these.
    void clear(Attribute const& attribute, std::uint64_t id, ReplacedTypes const* types);

    // Must be called after everything is added. Writes all, or nothing if there is an error.
    parser::Result<void> write(Connection& connection, Mistakes& mistakes);

    // The pairs as write() adds them to empty tables.
    std::vector<Pair> pairs(Mistakes& mistakes);

  private:
    enum Side : std::uint8_t { owner, target };

    struct Kind {
        std::string type;
        std::string field;
        auto operator<=>(Kind const&) const = default;
    };
    // Arrays are indexed by Side.
    struct Named {
        std::array<std::uint64_t, 2> id{};
        std::array<std::uint64_t, 2> entry{};
        std::array<std::uint32_t, 2> listed{}; // position in the list of each side; 0: not in it
        std::array<std::uint32_t, 2> list{};   // index into lists_
        std::array<double, 2> order{};
        std::uint32_t kind = 0;     // index into kinds_; 0 unless polymorphic
        std::uint32_t repeated = 0; // how often the same list has named the same target before
        bool is_double = false;     // the other side has named it, too
    };
    // All pairs of one entry, as one side sees them.
    struct List {
        Side side = owner;
        std::uint64_t id = 0;
        std::uint32_t kind = 0; // 0 for an owner
        bool is_copy = false;
        bool is_others = false;
        std::vector<std::uint32_t> pairs;
        std::map<std::uint64_t, double> orders; // in the database, by the id at the other end
    };
    struct Cleared {
        Ids all;
        Ids of_types; // only pairs with these types
        ReplacedTypes const* types = nullptr;
    };

    std::uint32_t kind_of(Kind kind);
    std::uint32_t list_of(Side side, std::uint32_t kind, LinkEnd end);
    Kind kind_named(Linked const& named) const;
    Attribute const* attribute_of(List const& list) const;
    bool has_several(List const& list) const;

    void merge();
    void check(List const& list, Mistakes& mistakes) const;
    void arrange();
    parser::Result<void> read_orders(Connection& connection, Side side);
    parser::Result<void> delete_cleared(Connection& connection);
    parser::Result<void> delete_cleared(Connection& connection, Attribute const& attribute,
                                        Ids const& ids, ReplacedTypes const* types) const;
    Pair pair_of(Named const& named) const;

    ContentType const& type_;
    Attribute const& owning_;
    Attribute const* other_; // the attribute of the target's type that shows the same pairs
    std::vector<Named> named_;
    std::vector<Kind> kinds_{1};
    std::map<Kind, std::uint32_t> kind_indices_;
    std::vector<List> lists_;
    std::unordered_map<std::uint64_t, std::uint32_t> list_indices_;
    std::map<Attribute const*, Cleared> cleared_;
};

} // namespace db
