#include "parser/query_tree.hpp"

#include "parser/base/json_string.hpp"
#include "parser/key_grammar.hpp"
#include "parser/percent_decode.hpp"
#include "parser/tree_builder.hpp"

#include <algorithm>
#include <array>

namespace parser {

namespace {

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
    return segment.kind != Segment::Kind::rest && is_inherited(segment.name);
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
        if (segments.back().kind == Segment::Kind::rest && result.too_deep.empty())
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

} // namespace parser
