#include "parser/query_tree.hpp"

#include "parser/base/client_hash.hpp"
#include "parser/base/javascript.hpp"
#include "parser/lexer.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <forward_list>
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

// Grows the tree of a query string, parameter by parameter, by the rules of qs 6.15.
//
// While it grows, every container is a set of members with names: a list is one whose names are its
// indices (they may leave holes) and that knows the index to append at. So a list turns into an
// object by a change of its kind, and nothing is ever moved. A list that outgrows the array limit
// becomes an object that still appends.
//
// Values are numbered. Those passed as `source` or `value` belong to the result afterwards. Texts
// and names are views into the caller's text, which must live until `finish`.
class TreeBuilder {
  public:
    using Value = std::uint32_t;
    struct NamedValue {
        std::string_view name;
        Value value;
        std::uint32_t next; // member of the same container
    };

    // A list of more than `array_limit` values becomes an object.
    explicit TreeBuilder(std::size_t array_limit);

    Value null() { return add({}); }
    Value text(std::string_view text) { return add({.kind = ValueKind::text, .text = text}); }
    Value object() { return add({.kind = ValueKind::object}); }

    // Sets a member of an object. If it is there already, all its values become one list.
    void combine(Value object, std::string_view name, Value value);
    // Wraps the value in the containers that a key's segments name, from the innermost outwards.
    Value nest(std::vector<Segment> const& segments, Value value);
    // Adds `source` to `target`; returns the value that replaces the target.
    Value merge(Value target, Value source);

    // Returns the members in the order in which JavaScript walks the container.
    std::vector<NamedValue> members(Value container) const;
    Tree finish(Value value) const;

  private:
    enum class ValueKind : std::uint8_t { null, text, list, object };
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Growing {
        ValueKind kind = ValueKind::null;
        bool appends = false; // a list, or an object that was a list before
        double end = 0;       // where it appends: one past the greatest index
        std::string_view text = {};
        std::uint32_t size = 0;
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    using MemberName = std::pair<Value, std::string_view>; // its container, and its name there
    struct MemberHash {
        std::size_t operator()(MemberName const& member) const {
            constexpr std::size_t spread = 0x9E3779B97F4A7C15;
            return ClientHash()(member.second) + member.first * spread;
        }
    };

    Value add(Growing const& node);
    Value list();
    bool is_list(Value value) const { return nodes_[value].kind == ValueKind::list; }
    bool is_container(Value value) const { return nodes_[value].kind >= ValueKind::list; }
    std::uint32_t find(Value container, std::string_view name) const; // in members_, or none
    void set(Value container, std::string_view name, Value value);
    void append(Value container, Value value);
    void become_object(Value list, bool appends);
    void apply_limit(Value list);
    Value append_scalar(Value target, Value scalar);
    Value prepend(Value scalar, Value container);
    void merge_members(Value target, Value source);
    std::string_view numeral(double number);

    double array_limit_;
    std::vector<Growing> nodes_;
    std::vector<NamedValue> members_;
    // Indices into members_, for containers with more than `few` members; others are searched.
    boost::unordered_flat_map<MemberName, std::uint32_t, MemberHash> index_;
    static constexpr std::uint32_t few = 8;
    std::forward_list<std::string> numerals_;
};

TreeBuilder::TreeBuilder(std::size_t array_limit) : array_limit_(static_cast<double>(array_limit)) {
    // This is enough for what front ends send.
    nodes_.reserve(256);
    members_.reserve(256);
}

TreeBuilder::Value TreeBuilder::add(Growing const& node) {
    nodes_.push_back(node);
    return static_cast<Value>(nodes_.size() - 1);
}

TreeBuilder::Value TreeBuilder::list() {
    return add({.kind = ValueKind::list, .appends = true});
}

std::string_view TreeBuilder::numeral(double number) {
    append_number(numerals_.emplace_front(), number);
    return numerals_.front();
}

std::uint32_t TreeBuilder::find(Value container, std::string_view name) const {
    if (nodes_[container].size > few) {
        auto const found = index_.find(MemberName(container, name));
        return found == index_.end() ? none : found->second;
    }
    auto at = nodes_[container].first;
    while (at != none && members_[at].name != name)
        at = members_[at].next;
    return at;
}

void TreeBuilder::set(Value container, std::string_view name, Value value) {
    Growing& node = nodes_[container];
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
            index_.emplace(MemberName(container, members_[at].name), at);
    }
    if (!node.appends) return;
    auto const index = canonical_integer(name);
    if (index && *index >= node.end) node.end = *index + 1;
}

void TreeBuilder::append(Value container, Value value) {
    set(container, numeral(nodes_[container].end), value);
}

void TreeBuilder::become_object(Value list, bool appends) {
    nodes_[list].kind = ValueKind::object;
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
        bool const is_group = segment->kind == SegmentKind::group;
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
        NamedValue const added = members_[at];
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

std::vector<TreeBuilder::NamedValue> TreeBuilder::members(Value container) const {
    constexpr auto rank = [](NamedValue const& member) {
        // Other names rank beyond the greatest index, so they come last and keep their order.
        return array_index(member.name).value_or(UINT32_MAX);
    };
    std::vector<NamedValue> sorted;
    for (auto at = nodes_[container].first; at != none; at = members_[at].next)
        sorted.push_back(members_[at]);
    if (!std::ranges::is_sorted(sorted, {}, rank)) std::ranges::stable_sort(sorted, {}, rank);
    return sorted;
}

Tree TreeBuilder::finish(Value value) const {
    Growing const& node = nodes_[value];
    if (node.kind == ValueKind::null) return {};
    if (node.kind == ValueKind::text) return std::string(node.text);
    if (node.kind == ValueKind::list) {
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

// The parameterLimit of qs 6.15.
constexpr std::size_t most_parts = 1'000;
// Keeps recursion shallow whatever a project sets.
constexpr std::size_t greatest_depth = 1'000;

// Names that every JavaScript object inherits. qs 6.15 drops parameters that use one.
constexpr std::array<std::string_view, 12> inherited_names = {
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
};

bool names_inherited(Segment const& segment) {
    return segment.kind != SegmentKind::rest && is_inherited(segment.name);
}

// Decodes %5B and %5D, which are brackets wherever they are, before anything else is decoded.
void decode_brackets(std::string& text) {
    std::size_t size = std::min(text.find("%5"), text.size());
    for (std::size_t at = size; at < text.size(); ++size) {
        bool const escape = text[at] == '%' && text.size() - at > 2 && text[at + 1] == '5';
        char const digit = escape ? static_cast<char>(text[at + 2] | 0x20) : '\0';
        bool const is_bracket = digit == 'b' || digit == 'd';
        text[size] = !is_bracket ? text[at] : digit == 'b' ? '[' : ']';
        at += is_bracket ? 3 : 1;
    }
    text.resize(size);
}

// Adds `key=value` to the members of `pairs`.
void collect_part(TreeBuilder& builder, TreeBuilder::Value pairs, std::span<char> part) {
    std::string_view const text(part.data(), part.size());
    std::size_t const bracket = text.find("]=");
    std::size_t const equals = bracket == text.npos ? text.find('=') : bracket + 1;
    std::size_t const key_size = std::min(equals, text.size());
    auto const key = decode_component(part.first(key_size));
    if (key.empty()) return;
    auto const value = equals == text.npos
                           ? builder.null()
                           : builder.text(decode_component(part.subspan(equals + 1)));
    builder.combine(pairs, key, value);
}

void append(std::string& out, Tree const& tree);

void append(std::string& out, Object const& object) {
    out += '{';
    for (auto const& [name, value] : object.members()) {
        if (out.back() != '{') out += ',';
        append_json_string(out, name);
        out += ':';
        append(out, value);
    }
    out += '}';
}

void append(std::string& out, Tree const& tree) {
    if (auto const* text = tree.text()) return append_json_string(out, *text);
    if (auto const* object = tree.object()) return append(out, *object);
    auto const* list = tree.list();
    if (list == nullptr) {
        out += "null";
        return;
    }
    out += '[';
    for (auto const& value : *list) {
        if (&value != list->data()) out += ',';
        append(out, value);
    }
    out += ']';
}

} // namespace

Object::Object(std::vector<Member> members) : members_(std::move(members)) {
}

Tree const* Object::find(std::string_view name) const {
    auto const found = std::ranges::find(members_, name, &Member::first);
    return found == members_.end() ? nullptr : &found->second;
}

bool is_inherited(std::string_view name) {
    return std::ranges::find(inherited_names, name) != inherited_names.end();
}

QueryTree parse_query_string(std::string_view query_string, TreeOptions const& options) {
    std::string text(query_string);
    replace_invalid_utf8(text);
    decode_brackets(text);

    TreeBuilder builder(options.array_limit);
    QueryTree result;
    auto const pairs = builder.object();
    std::size_t begin = 0;
    for (std::size_t part = 0; begin < text.size(); ++part) {
        if (part == most_parts) {
            result.cut = true;
            break;
        }
        std::size_t const end = std::min(text.find('&', begin), text.size());
        collect_part(builder, pairs, std::span(text).subspan(begin, end - begin));
        begin = end + 1;
    }

    auto tree = builder.object();
    std::size_t const depth = std::clamp<std::size_t>(options.depth, 1, greatest_depth);
    std::vector<Segment> segments;
    for (auto const& pair : builder.members(pairs)) {
        (options.balances_brackets ? cut_balanced_key : cut_key)(pair.name, depth, segments);
        if (std::ranges::any_of(segments, names_inherited)) continue;
        if (segments.back().kind == SegmentKind::rest && result.too_deep.empty())
            result.too_deep = pair.name;
        tree = builder.merge(tree, builder.nest(segments, pair.value));
    }
    result.root = *builder.finish(tree).object();
    return result;
}

std::string dump(QueryTree const& tree) {
    std::string out;
    append(out, tree.root);
    return out;
}

std::string dump(Tree const& tree) {
    std::string out;
    append(out, tree);
    return out;
}

bool QueryEffect::empty() const {
    return absent.empty() && always.empty() && dropped.empty() && !keep && pick.empty() &&
           watched.empty() && headers.empty();
}

namespace {

bool lists_name(std::vector<std::string> const& names, std::string const& name) {
    return std::ranges::find(names, name) != names.end();
}

bool is_taken_away(QueryEffect const& effect, Object::Member const& parameter) {
    auto const& [name, value] = parameter;
    bool const is_empty = value.is_null() || (value.text() && value.text()->empty());
    return lists_name(effect.dropped, name) || (effect.keep && !lists_name(*effect.keep, name)) ||
           (is_empty && lists_name(effect.empty_is_absent, name));
}

// Absent if none of the members is there.
std::optional<Tree> picked(Tree const& value, std::vector<std::string> const& names) {
    std::vector<Object::Member> members;
    if (auto const* object = value.object())
        for (auto const& member : object->members())
            if (lists_name(names, member.first)) members.push_back(member);
    if (members.empty()) return std::nullopt;
    return Tree(Object(std::move(members)));
}

} // namespace

std::optional<std::pair<std::string, std::string>> watched_in(QueryEffect const& effect,
                                                              Object const& query) {
    for (auto const& watched : effect.watched)
        if (query.find(watched.first)) return watched;
    // Whether null counts as absent was not tried.
    for (auto const& [name, value] : effect.absent.members())
        if (auto const* own = query.find(name); own && own->is_null())
            return std::pair(name, "it has no value, and a middleware may set one");
    return std::nullopt;
}

void apply(QueryEffect const& effect, Object& query) {
    auto members = query.members();
    auto const find = [&](std::string const& name) {
        return std::ranges::find(members, name, &Object::Member::first);
    };
    std::erase_if(members, [&](auto const& own) { return is_taken_away(effect, own); });
    for (auto const& [name, names] : effect.pick)
        if (auto const own = find(name); own != members.end()) {
            if (auto value = picked(own->second, names))
                own->second = *std::move(value);
            else
                members.erase(own);
        }
    for (auto const& parameter : effect.absent.members())
        if (find(parameter.first) == members.end()) members.push_back(parameter);
    for (auto const& parameter : effect.always.members())
        if (auto const own = find(parameter.first); own != members.end())
            own->second = parameter.second;
        else
            members.push_back(parameter);
    query = Object(std::move(members));
}

} // namespace parser
