#include "db/import/link_table.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

// Decides which pairs there will be, and in which order. Their rows are in link_rows.cpp.

namespace db {

LinkTable::LinkTable(ContentType const& type, Attribute const& owning, bool may_change)
    : type_(type), owning_(owning), may_change_(may_change), other_(owning.other_side()) {
}

std::uint32_t LinkTable::kind_of(Kind kind) {
    if (!owning_.is_polymorphic()) return 0;
    auto const next = static_cast<std::uint32_t>(kinds_.size());
    auto const [found, is_new] = kind_indices_.emplace(kind, next);
    if (is_new) kinds_.push_back(std::move(kind));
    return found->second;
}

std::uint32_t LinkTable::list_of(Side side, std::uint32_t kind, LinkEnd end) {
    if (side == owner) kind = 0;
    // An id has 32 bits.
    auto const key = (std::uint64_t{side} << 63) | (std::uint64_t{kind} << 32) | end.id;
    auto const next = static_cast<std::uint32_t>(lists_.size());
    auto const [found, is_new] = list_indices_.emplace(key, next);
    if (is_new) {
        List list;
        list.side = side;
        list.id = end.id;
        list.kind = kind;
        list.existed = end.existed;
        list.is_copy = end.is_copy;
        lists_.push_back(std::move(list));
    }
    return found->second;
}

LinkTable::Kind LinkTable::kind_named(Linked const& named) const {
    if (owning_.link.place != Link::Place::table) return {named.type->uid, ""};
    if (!named.field.empty()) return {named.type->uid, named.field};
    Attribute const* only = nullptr;
    for (auto const& attribute : named.type->attributes) {
        if (attribute.owns_link || attribute.link.table != owning_.link.table) continue;
        if (only) return {named.type->uid, ""};
        only = &attribute;
    }
    return {named.type->uid, only ? only->link.field : ""};
}

void LinkTable::add(Attribute const& attribute, LinkEnd entry, std::vector<Linked> const& targets) {
    if (targets.empty() && !entry.existed) return;
    Side const side = attribute.owns_link ? owner : target;
    Side const other = attribute.owns_link ? target : owner;
    auto const kind =
        side == owner ? 0 : kind_of({attribute.link.parent_type, attribute.link.field});
    auto const list = list_of(side, kind, entry);
    lists_[list].attribute = &attribute;
    lists_[list].source = entry.source;

    auto const first = static_cast<std::ptrdiff_t>(pairs_.size());
    std::uint32_t position = 0;
    for (auto const& named : targets) {
        Pair pair;
        pair.id[side] = entry.id;
        pair.id[other] = named.end.id;
        pair.entry[side] = entry.entry;
        pair.entry[other] = named.end.entry;
        pair.kind = side == owner ? kind_of(kind_named(named)) : kind;
        pair.listed[side] = ++position;
        pair.list[side] = list;
        pair.list[other] = list_of(other, pair.kind, named.end);
        pair.is_new = !entry.existed || !named.end.existed;
        auto const is_same = [&](Pair const& before) {
            return before.id == pair.id && before.kind == pair.kind;
        };
        if (owning_.is_polymorphic())
            pair.repeated = static_cast<std::uint32_t>(
                std::count_if(pairs_.begin() + first, pairs_.end(), is_same));
        pairs_.push_back(pair);
    }
}

parser::Result<void> LinkTable::write(Connection& connection, Mistakes& mistakes,
                                      std::set<Source>& changed) {
    merge();
    if (auto read = read_stored(connection); !read) return read;
    for (auto& list : lists_)
        check(list, mistakes);
    if (mistakes.any()) return {};
    for (auto const& list : lists_)
        if (list.is_changed && list.source.type) changed.insert(list.source);
    if (auto done = delete_changed(connection); !done) return done;
    arrange();
    return owning_.link.place == Link::Place::table ? insert_rows(connection, mistakes)
                                                    : update_rows(connection);
}

// Merges pairs that both sides list, and puts each pair into its lists, in order.
void LinkTable::merge() {
    std::vector<std::uint32_t> sorted(pairs_.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    auto const key = [this](std::uint32_t index) {
        auto const& pair = pairs_[index];
        return std::tie(pair.id, pair.kind, pair.repeated);
    };
    std::ranges::stable_sort(sorted,
                             [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    std::vector<bool> is_double(pairs_.size());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (key(sorted[i]) != key(sorted[i - 1])) continue;
        auto& kept = pairs_[sorted[i - 1]];
        auto& repetition = pairs_[sorted[i]];
        for (Side const side : {owner, target})
            if (kept.listed[side] == 0) kept.listed[side] = repetition.listed[side];
        is_double[sorted[i]] = true;
        repetition.is_new = false;
    }
    for (std::uint32_t index = 0; index < pairs_.size(); ++index)
        for (Side const side : {owner, target})
            if (!is_double[index]) lists_[pairs_[index].list[side]].pairs.push_back(index);
    for (auto& list : lists_)
        std::ranges::stable_sort(list.pairs, {}, [&](std::uint32_t index) {
            auto const listed = pairs_[index].listed[list.side];
            return std::pair(listed == 0, listed);
        });
}

// Returns the attribute that shows the list, or null.
Attribute const* LinkTable::attribute_of(List const& list) const {
    if (list.attribute) return list.attribute;
    return list.side == owner ? &owning_ : other_;
}

// Returns the other end as messages name it.
std::string LinkTable::written(List const& list, Pair const& pair) const {
    std::string text = std::to_string(pair.id[list.side == owner ? target : owner]);
    bool const has_type = list.side == owner && owning_.is_polymorphic();
    return has_type ? kinds_[pair.kind].type + ' ' + text : text;
}

namespace {

std::string joined(std::vector<std::string> const& items) {
    return '[' + boost::join(items, ", ") + ']';
}

} // namespace

// Returns whether there are several entries at the other end. Rows of one document count as one.
bool LinkTable::has_several(List const& list) const {
    std::set<std::pair<std::uint32_t, std::uint64_t>> entries;
    auto others = list.is_changed ? std::vector<std::string>() : list.stored;
    for (auto const index : list.pairs) {
        auto const& pair = pairs_[index];
        entries.emplace(pair.kind, pair.entry[list.side == owner ? target : owner]);
        std::erase(others, written(list, pair));
    }
    return entries.size() + others.size() > 1;
}

// Returns whether an entry with room for one other, not listed in the folder, gets another one.
bool LinkTable::loses_its_one(List const& list) const {
    auto const* attribute = attribute_of(list);
    bool const has_room = list.attribute || !attribute || attribute->many;
    if (!may_change_ || has_room || list.stored.empty()) return false;
    return std::ranges::any_of(list.pairs, [&](std::uint32_t index) {
        return !std::ranges::count(list.stored, written(list, pairs_[index]));
    });
}

void LinkTable::check(List& list, Mistakes& mistakes) const {
    std::vector<std::string> kept;
    std::vector<std::string> added;
    bool is_same = true;
    for (auto const index : list.pairs) {
        auto const& pair = pairs_[index];
        is_same &= pair.is_new || added.empty();
        (pair.is_new ? added : kept).push_back(written(list, pair));
    }
    // The two sides of a polymorphic relation share one order, which may be the other side's.
    if (list.side == owner && owning_.is_polymorphic())
        is_same = std::ranges::is_permutation(kept, list.stored);
    else
        is_same &= kept == list.stored;
    bool const differs = list.attribute && list.existed && !is_same;
    if (differs && !may_change_)
        return mistakes.add(named(list) + "the database has " + joined(list.stored) +
                            ", but the folder has " + joined(kept) +
                            (added.empty() ? "" : " and " + joined(added)) +
                            "; entries that exist are not changed");
    list.is_changed = differs || loses_its_one(list);
    auto all = list.is_changed ? kept : list.stored;
    all.insert(all.end(), added.begin(), added.end());
    auto const* attribute = attribute_of(list);
    // As in Strapi, a morphOne shows the first of possibly several.
    bool const may_be_several = list.side == target && owning_.is_polymorphic();
    bool const may_have_several = !attribute || attribute->many || may_be_several || list.is_copy;
    if (!may_have_several && has_several(list))
        mistakes.add(named(list) + "expected one entry, received " + joined(all));
}

// Returns the beginning of a message.
std::string LinkTable::named(List const& list) const {
    auto const& uid = list.side == owner ? type_.uid
                      : owning_.target   ? owning_.target->uid
                                         : kinds_[list.kind].type;
    return uid + ' ' + std::to_string(list.id) + ": " + attribute_of(list)->name + ": ";
}

void LinkTable::arrange() {
    for (auto const& list : lists_)
        if (list.is_changed)
            for (auto const index : list.pairs)
                pairs_[index].is_new = true;
    for (auto const& list : lists_) {
        auto const& [stored, orders] = std::tie(list.stored, list.orders);
        double last = list.is_changed || orders.empty() ? 0 : std::ranges::max(orders);
        for (auto const index : list.pairs) {
            auto& pair = pairs_[index];
            if (!pair.is_new) continue;
            auto const found = std::ranges::find(stored, written(list, pair)) - stored.begin();
            bool const is_kept = !list.is_changed && found < std::ssize(stored);
            pair.order[list.side] = is_kept ? orders[static_cast<std::size_t>(found)] : ++last;
        }
    }
}

} // namespace db
