#pragma once

#include "db/content/content_errors.hpp"
#include "db/content/deletion.hpp"
#include "db/content/row_writer.hpp"
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
    parser::Result<void> write(Connection& connection, RowWriter& rows, ContentErrors& errors);

    // The pairs as write() adds them to empty tables.
    std::vector<LinkPair> pairs(ContentErrors& errors);

  private:
    enum LinkSide : std::uint8_t { owner, target };

    struct TargetKind {
        std::string type;
        std::string field;
        auto operator<=>(TargetKind const&) const = default;
    };
    // Arrays are indexed by LinkSide.
    struct NamedPair {
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
    struct PairList {
        LinkSide side = owner;
        std::uint64_t id = 0;
        std::uint32_t kind = 0; // 0 for an owner
        bool is_copy = false;
        bool is_others = false;
        std::vector<std::uint32_t> pairs = {};
        std::map<std::uint64_t, double> orders = {}; // in the database, by the id at the other end
    };
    std::uint32_t kind_of(TargetKind kind);
    std::uint32_t list_of(LinkSide side, std::uint32_t kind, LinkEnd end);
    TargetKind kind_named(Linked const& named) const;
    Attribute const* attribute_of(PairList const& list) const;
    bool has_several(PairList const& list) const;

    void merge();
    void check(PairList const& list, ContentErrors& errors) const;
    void arrange();
    parser::Result<void> read_orders(Connection& connection, LinkSide side);
    parser::Result<void> delete_cleared(Connection& connection) const;
    LinkPair pair_of(NamedPair const& named) const;

    ContentType const& type_;
    Attribute const& owning_;
    Attribute const* other_; // the attribute of the target's type that shows the same pairs
    std::vector<NamedPair> named_;
    std::vector<TargetKind> kinds_{1};
    std::map<TargetKind, std::uint32_t> kind_indices_;
    std::vector<PairList> lists_;
    std::unordered_map<std::uint64_t, std::uint32_t> list_indices_;
    // Entries whose pairs go, those with these types or, if that is null, all.
    std::map<std::pair<Attribute const*, ReplacedTypes const*>, Ids> cleared_;
};

} // namespace db
