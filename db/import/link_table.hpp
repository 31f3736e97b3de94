#pragma once

#include "db/import/insertion.hpp"
#include "db/schema/schema.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace db {

// The line of the folder that a row, or the entry of a component, comes from.
struct Source {
    ContentType const* type = nullptr; // null: none
    std::uint64_t id = 0;
    std::size_t line = 0;
    bool has_time = false; // the line has updatedAt
    auto operator<=>(Source const&) const = default;
};

// One end of a pair: a row, and whether it existed before the import. Rows of one document have the
// same `entry`; without documents it is the id.
struct LinkEnd {
    std::uint64_t id = 0;
    std::uint64_t entry = 0;
    bool existed = false;
    bool is_copy = false; // a draft made for a published entry, which reports its errors
    Source source = {};   // set if the end existed and lists others
};

// Gathers the pairs of one relation from both its sides. A pair may be named on either side or on
// both. Each side has its own order: that of its list, and behind it the pairs that only the other
// side names, as they came.
//
// Pairs with a new entry are added behind the others. What the folder lists for an existing entry
// must be what the tables have. If that may change, the list replaces it, and an entry that can
// have only one other loses the old one to a new one that lists it.
class LinkTable {
  public:
    // `type` and `field` tell the targets of a polymorphic relation apart.
    struct Linked {
        LinkEnd end;
        ContentType const* type = nullptr;
        std::string field; // may be empty if the type has only one attribute that fits
    };

    // `owning` is an attribute of `type` that owns its link. `may_change` lets stored pairs change.
    LinkTable(ContentType const& type, Attribute const& owning, bool may_change);

    // Adds what `entry` lists in `attribute`, which is either side of the relation.
    void add(Attribute const& attribute, LinkEnd entry, std::vector<Linked> const& targets);

    // Must be called after everything is added. Checks what existing entries list, and writes what
    // is new, or nothing if there is an error. Adds the sources of changed lists to `changed`.
    parser::Result<void> write(Connection& connection, Mistakes& mistakes,
                               std::set<Source>& changed);

  private:
    enum Side : std::uint8_t { owner, target };

    struct Kind {
        std::string type;
        std::string field;
        auto operator<=>(Kind const&) const = default;
    };
    // Arrays are indexed by Side.
    struct Pair {
        std::array<std::uint64_t, 2> id{};
        std::array<std::uint64_t, 2> entry{};
        std::array<std::uint32_t, 2> listed{}; // position in the list of each side; 0: not in it
        std::array<std::uint32_t, 2> list{};   // index into lists_
        std::array<double, 2> order{};
        std::uint32_t kind = 0;     // index into kinds_; 0 unless polymorphic
        std::uint32_t repeated = 0; // how often the same list has named the same target before
        bool is_new = false;
    };
    // All pairs of one entry, as one side sees them.
    struct List {
        Side side = owner;
        std::uint64_t id = 0;
        std::uint32_t kind = 0; // 0 for an owner
        bool existed = false;
        bool is_copy = false;
        Attribute const* attribute = nullptr; // in which the folder lists them; null: it does not
        std::vector<std::uint32_t> pairs;
        std::vector<std::string> stored; // what the table has, if the entry existed
        std::vector<double> orders;      // of `stored`
        bool is_changed = false;         // the stored pairs are to be replaced
        Source source;
    };

    std::uint32_t kind_of(Kind kind);
    std::uint32_t list_of(Side side, std::uint32_t kind, LinkEnd end);
    Kind kind_named(Linked const& named) const;
    Attribute const* attribute_of(List const& list) const;
    std::string written(List const& list, Pair const& pair) const;
    bool has_several(List const& list) const;

    void merge();
    parser::Result<void> read_stored(Connection& connection);
    parser::Result<void> read_stored(Connection& connection, std::vector<List*> const& lists);
    void check(List& list, Mistakes& mistakes) const;
    bool loses_its_one(List const& list) const;
    std::string named(List const& list) const;
    void arrange();
    parser::Result<void> delete_changed(Connection& connection) const;
    parser::Result<void> delete_changed(Connection& connection,
                                        std::vector<List const*> const& lists) const;
    parser::Result<void> insert_rows(Connection& connection, Mistakes& mistakes) const;
    parser::Result<void> update_rows(Connection& connection) const;

    ContentType const& type_;
    Attribute const& owning_;
    bool may_change_;
    Attribute const* other_; // the attribute of the target's type that shows the same pairs
    std::vector<Pair> pairs_;
    std::vector<Kind> kinds_{1};
    std::map<Kind, std::uint32_t> kind_indices_;
    std::vector<List> lists_;
    std::unordered_map<std::uint64_t, std::uint32_t> list_indices_;
};

} // namespace db
