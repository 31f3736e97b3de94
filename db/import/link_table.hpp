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
    bool has_time = false; // says when it was updated
    auto operator<=>(Source const&) const = default;
};

// One end of a pair: a row, and whether it was there before the import. Rows of one document have
// the same `entry`; where there are no documents it is the id.
struct LinkEnd {
    std::uint64_t id = 0;
    std::uint64_t entry = 0;
    bool existed = false;
    bool is_copy =
        false;          // a draft that the folder does not name; it tells of its mistakes elsewhere
    Source source = {}; // of an end that existed and lists others
};

// The pairs of one relation, gathered from both its sides. A pair may be named on either side or on
// both. Each side has its own order: that of its list, and behind it the pairs that only the other
// side names, as they came.
//
// Pairs with a new entry are added, behind the others. What the folder lists of an entry that
// existed has to be what the tables have; or, if that may change, it replaces that, and an entry
// that may have one other only loses it to whoever lists it.
class LinkTable {
  public:
    // `type` and `field` tell the targets of a polymorphic relation apart.
    struct Linked {
        LinkEnd end;
        ContentType const* type = nullptr;
        std::string field; // may be empty where only one attribute of the type can be meant
    };

    // `owning` is an attribute of `type` that owns its link. `may_change`: what the tables have.
    LinkTable(ContentType const& type, Attribute const& owning, bool may_change);

    // What `entry` lists by `attribute`, which is either side of the relation.
    void add(Attribute const& attribute, LinkEnd entry, std::vector<Linked> const& targets);

    // After all are added: checks what existing entries list, and writes what is new; nothing once
    // there is a mistake. Adds to `changed` whose lists are others now.
    parser::Result<void> write(Connection& connection, Mistakes& mistakes,
                               std::set<Source>& changed);

  private:
    enum Side : std::uint8_t { owner, target };

    struct Kind {
        std::string type;
        std::string field;
        auto operator<=>(Kind const&) const = default;
    };
    // Arrays are by Side.
    struct Pair {
        std::array<std::uint64_t, 2> id{};
        std::array<std::uint64_t, 2> entry{};
        std::array<std::uint32_t, 2> listed{}; // position in the list of each side; 0: not there
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
        std::uint32_t kind = 0; // of a target
        bool existed = false;
        bool is_copy = false;
        Attribute const* attribute = nullptr; // by which the folder lists them; null: it does not
        std::vector<std::uint32_t> pairs;
        std::vector<std::string> stored; // of an entry that existed: what the table has
        std::vector<double> orders;      // of those
        bool is_changed = false;         // these are to be replaced
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
