#include "parser/base/javascript.hpp"
#include "parser/lexer.hpp"
#include "parser/query_tree.hpp"
#include "tests/fuzz/expect.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cstdint>

// Percent decoding and the tree of a query string.

using fuzz::expect;
using parser::Tree;

namespace {

void decode(std::string_view bytes) {
    std::string token(bytes);
    auto const decoded = parser::decode_component(token);
    expect(decoded.size() <= bytes.size(), "decoding shortens");
    if (bytes.find('%') == bytes.npos) {
        std::string spaced(bytes);
        std::ranges::replace(spaced, '+', ' ');
        expect(decoded == spaced, "without escapes only pluses are decoded");
    }

    std::string text(decoded);
    parser::replace_invalid_utf8(text);
    std::string json;
    parser::append_json_string(json, text);
    auto const read = fuzz::json_of(json);
    expect(std::string_view(read.get_string()) == text, "what is repaired is UTF-8");
    std::string again = text;
    parser::replace_invalid_utf8(again);
    expect(again == text, "what is repaired stays");
}

void expect_order(parser::Object const& object) {
    auto const index = [](std::string const& name) {
        bool const digits = !name.empty() && name.size() <= 10 &&
                            std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
        bool const is_index = digits && (name == "0" || name[0] != '0') &&
                              std::stoull(name) < UINT32_MAX; // the last array index is 2^32 - 2
        return is_index ? std::stoull(name) : UINT32_MAX;
    };
    auto const& members = object.members();
    expect(std::ranges::is_sorted(members, {},
                                  [&](auto const& member) { return index(member.first); }),
           "indices come first and ascend");
}

// `json` is what the dump says of `tree`, which lies `level` levels below the root.
void expect_same(Tree const& tree, boost::json::value const& json, std::size_t level,
                 parser::TreeOptions const& options);

void expect_same(parser::Object const& object, boost::json::object const& json, std::size_t level,
                 parser::TreeOptions const& options) {
    expect(object.size() == json.size(), "members differ in their names");
    expect_order(object);
    auto written = json.begin();
    for (auto const& [name, value] : object.members()) {
        expect(std::string_view(written->key()) == name, "names are dumped in order", name);
        expect(object.find(name) == &value, "members are found by their names", name);
        expect_same(value, written->value(), level + 1, options);
        ++written;
    }
}

void expect_same(Tree const& tree, boost::json::value const& json, std::size_t level,
                 parser::TreeOptions const& options) {
    expect(level <= 1'000 + options.depth + 2, "the depth is limited");
    if (tree.is_null()) return expect(json.is_null(), "null is dumped");
    if (auto const* text = tree.text())
        return expect(std::string_view(json.as_string()) == *text, "texts are dumped", *text);
    if (auto const* object = tree.object())
        return expect_same(*object, json.as_object(), level, options);
    auto const& list = *tree.list();
    // Not by `array_limit`: qs lets a list that grows by merging go past it.
    expect(list.size() <= 1'000, "lists are limited");
    expect(list.size() == json.as_array().size(), "lists are dumped");
    for (std::size_t i = 0; i < list.size(); ++i)
        expect_same(list[i], json.as_array()[i], level + 1, options);
}

void parse(std::string_view query, parser::TreeOptions const& options) {
    auto const tree = parser::parse_query_string(query, options);
    auto const dumped = dump(tree);
    expect(dump(parser::parse_query_string(query, options)) == dumped, "parsing is repeatable");
    auto const json = fuzz::json_of(dumped);
    expect_same(tree.root, json.as_object(), 0, options);
    if (tree.cut) expect(std::ranges::count(query, '&') >= 1'000, "few parts are all there");
    if (!tree.too_deep.empty())
        expect(query.find('[') != query.npos || query.find('%') != query.npos, "groups are deep");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const bytes(reinterpret_cast<char const*>(data), size);
    decode(bytes);
    parse(bytes, {});
    parse(bytes, {.array_limit = 3, .depth = 2});
    return 0;
}
