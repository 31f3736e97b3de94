#include "db/content/link_table.hpp"

#include "parser/base/javascript.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace db {

namespace {

// Appends the condition for the rows that hold pairs of these entries, as the link sees them.
SqlText& add_condition(SqlText& sql, Link const& link, Ids const& ids) {
    (sql.name(link.target_column) << " IS NOT NULL AND ");
    in(sql, link.parent_column, ids);
    if (!link.parent_type_column.empty())
        ((sql << " AND ").name(link.parent_type_column) << " = ").text(link.parent_type);
    if (!link.field_column.empty())
        ((sql << " AND ").name(link.field_column) << " = ").text(link.field);
    return sql;
}

std::string joined(std::vector<std::string> const& items) {
    return '[' + boost::join(items, ", ") + ']';
}

} // namespace

LinkTable::LinkTable(ContentType const& type, Attribute const& owning)
    : type_(type), owning_(owning), other_(owning.other_side()) {
}

std::uint32_t LinkTable::kind_of(TargetKind kind) {
    if (!owning_.is_polymorphic()) return 0;
    auto const next = static_cast<std::uint32_t>(kinds_.size());
    auto const [found, is_new] = kind_indices_.emplace(kind, next);
    if (is_new) kinds_.push_back(std::move(kind));
    return found->second;
}

std::uint32_t LinkTable::list_of(LinkSide side, std::uint32_t kind, LinkEnd end) {
    if (side == owner) kind = 0;
    // An id has 32 bits.
    auto const key = (std::uint64_t{side} << 63) | (std::uint64_t{kind} << 32) | end.id;
    auto const next = static_cast<std::uint32_t>(lists_.size());
    auto const [found, is_new] = list_indices_.emplace(key, next);
    if (is_new)
        lists_.push_back({.side = side,
                          .id = end.id,
                          .kind = kind,
                          .is_copy = end.is_copy,
                          .is_others = end.is_others});
    return found->second;
}

LinkTable::TargetKind LinkTable::kind_named(Linked const& named) const {
    if (owning_.link.storage != Link::Storage::table) return {named.type->uid, ""};
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
    if (targets.empty()) return;
    LinkSide const side = attribute.owns_link ? owner : target;
    LinkSide const other = attribute.owns_link ? target : owner;
    auto const kind =
        side == owner ? 0 : kind_of({attribute.link.parent_type, attribute.link.field});
    auto const list = list_of(side, kind, entry);
    auto const first = static_cast<std::ptrdiff_t>(named_.size());
    std::uint32_t position = 0;
    for (auto const& named : targets) {
        NamedPair pair;
        pair.id[side] = entry.id;
        pair.id[other] = named.end.id;
        pair.entry[side] = entry.entry;
        pair.entry[other] = named.end.entry;
        pair.kind = side == owner ? kind_of(kind_named(named)) : kind;
        pair.listed[side] = ++position;
        pair.list[side] = list;
        pair.list[other] = list_of(other, pair.kind, named.end);
        auto const is_same = [&](NamedPair const& before) {
            return before.id == pair.id && before.kind == pair.kind;
        };
        if (owning_.is_polymorphic())
            pair.repeated = static_cast<std::uint32_t>(
                std::count_if(named_.begin() + first, named_.end(), is_same));
        named_.push_back(pair);
    }
}

void LinkTable::clear(Attribute const& attribute, std::uint64_t id, ReplacedTypes const* types) {
    cleared_[{&attribute, types}].push_back(id);
}

parser::Result<void> LinkTable::write(Connection& connection, RowWriter& rows,
                                      ContentErrors& errors) {
    for (LinkSide const side : {owner, target})
        if (auto read = read_orders(connection, side); !read) return read;
    auto const all = pairs(errors);
    if (errors.any()) return {};
    if (auto done = delete_cleared(connection); !done) return done;
    FilePlace const place{"relation " + type_.uid + ' ' + owning_.name};
    for (auto const& pair : all)
        if (auto done = rows.add(owning_, pair, place); !done) return done;
    return rows.flush();
}

std::vector<LinkPair> LinkTable::pairs(ContentErrors& errors) {
    merge();
    for (auto const& list : lists_)
        check(list, errors);
    arrange();
    std::vector<LinkPair> pairs;
    for (auto const& named : named_)
        if (!named.is_double) pairs.push_back(pair_of(named));
    return pairs;
}

LinkPair LinkTable::pair_of(NamedPair const& named) const {
    auto const& kind = kinds_[named.kind];
    LinkPair pair{named.id[owner], named.id[target],   kind.type,
                  kind.field,      named.order[owner], named.order[target]};
    // The two sides of a polymorphic relation share one order.
    if (owning_.is_polymorphic() && named.listed[target] == 0) pair.inverse.reset();
    return pair;
}

// Merges pairs that both sides list, and puts each pair into its lists, in order.
void LinkTable::merge() {
    std::vector<std::uint32_t> sorted(named_.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    auto const key = [this](std::uint32_t index) {
        auto const& pair = named_[index];
        return std::tie(pair.id, pair.kind, pair.repeated);
    };
    std::ranges::stable_sort(sorted,
                             [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (key(sorted[i]) != key(sorted[i - 1])) continue;
        auto& kept = named_[sorted[i - 1]];
        auto& repetition = named_[sorted[i]];
        for (LinkSide const side : {owner, target})
            if (kept.listed[side] == 0) kept.listed[side] = repetition.listed[side];
        repetition.is_double = true;
    }
    for (std::uint32_t index = 0; index < named_.size(); ++index)
        for (LinkSide const side : {owner, target})
            if (!named_[index].is_double) lists_[named_[index].list[side]].pairs.push_back(index);
    for (auto& list : lists_)
        std::ranges::stable_sort(list.pairs, {}, [&](std::uint32_t index) {
            auto const listed = named_[index].listed[list.side];
            return std::pair(listed == 0, listed);
        });
}

// Returns the attribute that shows the list, or null.
Attribute const* LinkTable::attribute_of(PairList const& list) const {
    return list.side == owner ? &owning_ : other_;
}

// Returns whether there are several entries at the other end. Rows of one document count as one.
bool LinkTable::has_several(PairList const& list) const {
    std::set<std::pair<std::uint32_t, std::uint64_t>> entries;
    for (auto const index : list.pairs)
        entries.emplace(named_[index].kind,
                        named_[index].entry[list.side == owner ? target : owner]);
    return entries.size() > 1;
}

// As in Strapi, a morphOne shows the first of possibly several.
void LinkTable::check(PairList const& list, ContentErrors& errors) const {
    auto const* attribute = attribute_of(list);
    bool const may_be_several = list.side == target && owning_.is_polymorphic();
    bool const may_have_several = !attribute || attribute->many || may_be_several || list.is_copy;
    if (may_have_several || !has_several(list)) return;
    std::vector<std::string> others;
    for (auto const index : list.pairs) {
        auto const& pair = named_[index];
        auto const id = std::to_string(pair.id[list.side == owner ? target : owner]);
        others.push_back(owning_.is_polymorphic() ? kinds_[pair.kind].type + ' ' + id : id);
    }
    auto const& uid = list.side == owner ? type_.uid : owning_.target->uid;
    errors.add(uid + ' ' + std::to_string(list.id) + ": " + attribute->name +
               ": expected one entry, received " + joined(others));
}

void LinkTable::arrange() {
    for (auto const& list : lists_) {
        double last = 0;
        for (auto const& [other, order] : list.orders)
            last = std::max(last, order);
        for (auto const index : list.pairs) {
            auto& pair = named_[index];
            auto const stored = list.orders.find(pair.id[list.side == owner ? target : owner]);
            pair.order[list.side] = stored == list.orders.end() ? ++last : stored->second;
        }
    }
}

// Reads the pairs of entries that keep their others. An entry with room for one keeps none.
parser::Result<void> LinkTable::read_orders(Connection& connection, LinkSide side) {
    auto const* attribute = side == owner ? &owning_ : other_;
    if (!attribute) return {};
    std::unordered_map<std::uint64_t, PairList*> lists;
    Ids ids;
    for (auto& list : lists_) {
        if (list.side != side || !list.is_others) continue;
        if (!attribute->many) clear(*attribute, list.id, nullptr);
        lists[list.id] = &list;
        ids.push_back(list.id);
    }
    auto const& link = attribute->link;
    if (!attribute->many || attribute->is_polymorphic() || link.order_column.empty()) return {};
    return by_chunks(ids, [&](Ids const& chunk) -> parser::Result<void> {
        SqlText sql;
        (sql << "SELECT ").name(link.parent_column) << ", ";
        sql.name(link.target_column) << ", ";
        (sql.name(link.order_column) << " FROM ").name(link.table) << " WHERE ";
        auto rows = connection.query(add_condition(sql, link, chunk));
        if (!rows) return rows.error();
        while (rows->next()) {
            auto& orders = lists.at(rows->id(0))->orders;
            orders[rows->id(1)] = parser::javascript_number(rows->text(2)).value_or(0);
        }
        return {};
    });
}

parser::Result<void> LinkTable::delete_cleared(Connection& connection) const {
    for (auto const& [list, ids] : cleared_) {
        auto const* attribute = list.first;
        auto const* types = list.second;
        auto done = by_chunks(ids, [&](Ids const& chunk) {
            auto sql = without_pairs(owning_);
            add_condition(sql, attribute->link, chunk);
            if (types) in(sql << " AND ", owning_.link.target_type_column, *types);
            return connection.command(sql);
        });
        if (!done) return done;
    }
    return {};
}

} // namespace db
