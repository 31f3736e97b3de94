#include "parser/tree_builder.hpp"

#include "parser/base/client_hash.hpp"
#include "parser/base/javascript_number.hpp"

#include <algorithm>
#include <optional>

namespace parser {

namespace {

// Returns the number if String(parseInt(name)) gives the name back: it has decimal digits, no
// leading zero, and few enough digits for a double to hold.
std::optional<double> canonical_integer(std::string_view name) {
    if (name.empty() || name.size() > 21 || (name[0] == '0' && name.size() > 1) ||
        name.find_first_not_of("0123456789") != name.npos)
        return std::nullopt;
    double number = 0;
    for (char const digit : name.substr(0, 15))
        number = number * 10 + (digit - '0');
    if (name.size() <= 15) return number;
    number = javascript_number(name).value_or(0);
    std::string printed;
    append_number(printed, number);
    return printed == name ? std::optional(number) : std::nullopt;
}

} // namespace

std::size_t TreeBuilder::NameHash::operator()(Name const& place) const {
    constexpr std::size_t spread = 0x9E3779B97F4A7C15;
    return ClientHash()(place.name) + place.container * spread;
}

TreeBuilder::TreeBuilder(std::size_t array_limit) : array_limit_(static_cast<double>(array_limit)) {
    // This is enough for what front ends send.
    nodes_.reserve(256);
    members_.reserve(256);
}

TreeBuilder::Value TreeBuilder::add(Node const& node) {
    nodes_.push_back(node);
    return static_cast<Value>(nodes_.size() - 1);
}

TreeBuilder::Value TreeBuilder::list() {
    return add({.kind = Kind::list, .appends = true});
}

std::string_view TreeBuilder::numeral(double number) {
    append_number(numerals_.emplace_front(), number);
    return numerals_.front();
}

std::uint32_t TreeBuilder::find(Value container, std::string_view name) const {
    if (nodes_[container].size > few) {
        auto const found = index_.find(Name{container, name});
        return found == index_.end() ? none : found->second;
    }
    auto at = nodes_[container].first;
    while (at != none && members_[at].name != name)
        at = members_[at].next;
    return at;
}

void TreeBuilder::set(Value container, std::string_view name, Value value) {
    Node& node = nodes_[container];
    if (auto const present = find(container, name); present != none) {
        members_[present].value = value;
        return;
    }
    auto const added = static_cast<std::uint32_t>(members_.size());
    members_.push_back({name, value, none});
    (node.first == none ? node.first : members_[node.last].next) = added;
    node.last = added;
    if (++node.size > few) {
        for (auto at = node.size == few + 1 ? node.first : added; at != none;
             at = members_[at].next)
            index_.emplace(Name{container, members_[at].name}, at);
    }
    if (!node.appends) return;
    auto const index = canonical_integer(name);
    if (index && *index >= node.end) node.end = *index + 1;
}

void TreeBuilder::append(Value container, Value value) {
    set(container, numeral(nodes_[container].end), value);
}

void TreeBuilder::become_object(Value list, bool appends) {
    nodes_[list].kind = Kind::object;
    nodes_[list].appends = appends;
}

void TreeBuilder::apply_limit(Value list) {
    if (is_list(list) && nodes_[list].end > array_limit_) become_object(list, true);
}

void TreeBuilder::combine(Value object, std::string_view name, Value value) {
    auto const present = find(object, name);
    if (present == none) return set(object, name, value);
    Value values = members_[present].value;
    if (!is_container(values)) {
        values = list();
        append(values, members_[present].value);
        members_[present].value = values;
    }
    append(values, value);
    apply_limit(values);
}

TreeBuilder::Value TreeBuilder::nest(std::vector<Segment> const& segments, Value value) {
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        bool const is_group = segment->kind == Segment::Kind::group;
        if (is_group && segment->name.empty()) {
            if (nodes_[value].appends) continue;
            Value const values = list();
            append(values, value);
            apply_limit(values);
            value = values;
            continue;
        }
        auto const index = is_group ? canonical_integer(segment->name) : std::nullopt;
        Value const outer = index && *index < array_limit_ ? list() : object();
        nodes_[outer].appends = index.has_value();
        set(outer, segment->name, value);
        value = outer;
    }
    return value;
}

TreeBuilder::Value TreeBuilder::merge(Value target, Value source) {
    bool const falsy = !is_container(source) && nodes_[source].text.empty();
    if (falsy) return target;
    if (!is_container(source)) return append_scalar(target, source);
    if (!is_container(target)) return prepend(target, source);
    merge_members(target, source);
    return target;
}

TreeBuilder::Value TreeBuilder::append_scalar(Value target, Value scalar) {
    if (nodes_[target].appends) {
        bool const is_full = nodes_[target].end > array_limit_;
        append(target, scalar);
        if (is_full) become_object(target, true);
        return target;
    }
    Value const both = list();
    append(both, target);
    append(both, scalar);
    return both;
}

// Does what [scalar].concat(container) does in JavaScript.
TreeBuilder::Value TreeBuilder::prepend(Value scalar, Value container) {
    Value const values = list();
    append(values, scalar);
    if (!nodes_[container].appends) {
        append(values, container);
    } else {
        for (auto at = nodes_[container].first; at != none; at = members_[at].next) {
            double const index = canonical_integer(members_[at].name).value_or(0);
            set(values, numeral(index + 1), members_[at].value);
        }
    }
    apply_limit(values);
    return values;
}

void TreeBuilder::merge_members(Value target, Value source) {
    bool const lists = is_list(target) && is_list(source);
    if (!lists && is_list(target)) become_object(target, false);
    if (!is_list(source) && nodes_[source].appends && !nodes_[target].appends) {
        nodes_[target].appends = true;
        nodes_[target].end = nodes_[source].end;
    }
    // The source comes from one key, so its members are in walking order already.
    for (auto at = nodes_[source].first; at != none; at = members_[at].next) {
        Member const added = members_[at];
        auto const present = find(target, added.name);
        if (present == none) {
            set(target, added.name, added.value);
        } else if (lists && !(is_container(members_[present].value) && is_container(added.value))) {
            append(target, added.value);
        } else {
            Value const merged = merge(members_[present].value, added.value);
            members_[present].value = merged;
        }
    }
}

std::vector<TreeBuilder::Member> TreeBuilder::members(Value container) const {
    constexpr auto rank = [](Member const& member) {
        // Other names rank beyond the greatest index, so they come last and keep their order.
        return array_index(member.name).value_or(UINT32_MAX);
    };
    std::vector<Member> sorted;
    for (auto at = nodes_[container].first; at != none; at = members_[at].next)
        sorted.push_back(members_[at]);
    if (!std::ranges::is_sorted(sorted, {}, rank)) std::ranges::stable_sort(sorted, {}, rank);
    return sorted;
}

Tree TreeBuilder::finish(Value value) const {
    Node const& node = nodes_[value];
    if (node.kind == Kind::null) return {};
    if (node.kind == Kind::text) return std::string(node.text);
    if (node.kind == Kind::list) {
        auto const elements = members(value);
        List list;
        list.reserve(elements.size());
        for (auto const& member : elements)
            list.push_back(finish(member.value));
        return list;
    }
    auto const sorted = members(value);
    std::vector<Object::Member> named;
    named.reserve(sorted.size());
    for (auto const& member : sorted)
        named.emplace_back(member.name, finish(member.value));
    Object object(std::move(named));
    auto const last_index = sorted.empty() ? std::nullopt : array_index(sorted.back().name);
    if (node.appends && last_index) object.last_index = *last_index;
    return object;
}

} // namespace parser
