#include "parser/query_tree.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using parser::parse_query_string;
using parser::Tree;

BOOST_AUTO_TEST_SUITE(query_tree_hostile)

namespace {

std::string repeat(std::size_t times, std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

bool is_index(std::string const& name) {
    return name == "0" || (name[0] >= '1' && name[0] <= '9' && name.size() < 10 &&
                           std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }));
}

// Returns whether this holds, which does for every object: names differ, integer-like ones come
// first, ascending.
bool is_object(parser::Object const& object);

bool is_tree(Tree const& tree) {
    if (tree.object()) return !tree.object()->empty() && is_object(*tree.object());
    if (tree.list()) return !tree.list()->empty() && std::ranges::all_of(*tree.list(), is_tree);
    return tree.is_null() || tree.text();
}

bool is_object(parser::Object const& object) {
    std::set<std::string_view> names;
    long last = -1;
    bool others = false;
    for (auto const& [name, value] : object.members()) {
        if (!names.insert(name).second || !is_tree(value)) return false;
        if (!is_index(name)) {
            others = true;
        } else if (others || std::stol(name) <= last) {
            return false;
        } else {
            last = std::stol(name);
        }
    }
    return true;
}

// Takes one JSON value off the beginning, or nothing if there is none.
bool take_json(std::string_view& text) {
    auto const take = [&](std::string_view token) {
        bool const found = text.starts_with(token);
        if (found) text.remove_prefix(token.size());
        return found;
    };
    auto const take_string = [&] {
        if (!take("\"")) return false;
        while (!text.empty() && text[0] != '"')
            text.remove_prefix(text[0] == '\\' ? 2 : 1);
        return take("\"");
    };
    if (take("null") || take_string()) return true;
    if (take("[")) {
        if (take("]")) return true;
        do {
            if (!take_json(text)) return false;
        } while (take(","));
        return take("]");
    }
    if (!take("{")) return false;
    if (take("}")) return true;
    do {
        if (!take_string() || !take(":") || !take_json(text)) return false;
    } while (take(","));
    return take("}");
}

bool is_json(std::string_view text) {
    return take_json(text) && text.empty();
}

std::size_t depth(Tree const& tree) {
    std::size_t deepest = 0;
    if (tree.list())
        for (auto const& value : *tree.list())
            deepest = std::max(deepest, depth(value));
    else if (tree.object())
        for (auto const& member : tree.object()->members())
            deepest = std::max(deepest, depth(member.second));
    else
        return 0;
    return deepest + 1;
}

// Calls `check` with every text of at most `length` characters of the alphabet.
template<class Check>
void for_each_text(std::string& text, std::size_t length, Check const& check) {
    check(text);
    if (text.size() == length) return;
    for (char const c : std::string_view("a0[]=&%")) {
        text += c;
        for_each_text(text, length, check);
        text.pop_back();
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_short_text_has_a_well_formed_tree) {
    std::size_t count = 0;
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 6, [&](std::string const& query) {
        ++count;
        auto const tree = parse_query_string(query);
        std::string const json = dump(tree);
        if (is_object(tree.root) && is_json(json)) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query << " -> " << json);
    });
    BOOST_TEST(count == 137257u); // 7^0 + … + 7^6
    BOOST_TEST(wrong == 0u);
}

// No text of this alphabet has anything to do with a parameter x.
BOOST_AUTO_TEST_CASE(parameters_of_different_names_do_not_touch_each_other) {
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 5, [&](std::string const& query) {
        std::string const alone = dump(parse_query_string(query));
        std::string const comma = alone == "{}" ? "" : ",";
        std::string const expected =
            alone.substr(0, alone.size() - 1) + comma + R"("x":{"y":"1"}})";
        if (dump(parse_query_string(query + "&x[y]=1")) == expected) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query);
    });
    BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(brackets_may_be_escaped) {
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 5, [&](std::string const& query) {
        // A percent sign of the text itself could join with what is put in.
        if (query.find('%') != query.npos) return;
        std::string escaped;
        for (char const c : query) {
            if (c == '[')
                escaped += "%5B";
            else if (c == ']')
                escaped += "%5d";
            else
                escaped += c;
        }
        if (dump(parse_query_string(escaped)) == dump(parse_query_string(query))) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query);
    });
    BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_brackets_are_names_like_any_other) {
    std::size_t const many = 100'000;
    std::string const open = repeat(many, "[");
    BOOST_TEST(dump(parse_query_string(open)) == "{\"" + open + "\":null}");
    std::string const close = repeat(many, "]");
    BOOST_TEST(dump(parse_query_string(close + "=1")) == "{\"" + close + "\":\"1\"}");
    // 20 groups, the first of which is the root, then the rest as one name.
    BOOST_TEST(dump(parse_query_string(repeat(many, "[b]"))) == repeat(20, "{\"b\":") + "{\"" +
                                                                    repeat(many - 20, "[b]") +
                                                                    "\":null}" + repeat(20, "}"));
    BOOST_TEST(dump(parse_query_string("a" + repeat(many, "[x") + "]=1")) ==
               "{\"a" + repeat(many - 1, "[x") + "\":{\"x\":\"1\"}}");
}

BOOST_AUTO_TEST_CASE(a_million_bytes_are_read_to_their_end) {
    std::size_t const many = 1'000'000;
    std::string const text = repeat(many, "a");
    BOOST_TEST(dump(parse_query_string(text)) == "{\"" + text + "\":null}");
    BOOST_TEST(dump(parse_query_string("a=" + text)) == "{\"a\":\"" + text + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "%"))) ==
               "{\"a\":\"" + repeat(many, "%") + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "%61"))) == "{\"a\":\"" + text + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "\xFF"))) ==
               "{\"a\":\"" + repeat(many, "\uFFFD") + "\"}");
    BOOST_TEST(dump(parse_query_string(repeat(many, "="))) == "{}");
    BOOST_TEST(parse_query_string(repeat(many, "&")).cut);
}

// Each part makes what was there an element of a list, and each other part of these turns the list
// into an object, which the next makes an element again.
BOOST_AUTO_TEST_CASE(no_tree_is_deeper_than_its_parts_and_the_depth_of_keys) {
    std::string query;
    for (int i = 0; i < 1000; ++i) {
        std::string const number = std::to_string(i);
        query += i % 2 == 0 ? "&a[b]" + number + "=1" : "&[a]" + number + "=1";
    }
    auto const tree = parse_query_string(query.substr(1));
    BOOST_TEST(!tree.cut);
    BOOST_TEST(depth(*tree.root.find("a")) > 1u);
    BOOST_TEST(is_json(dump(tree)));

    std::string deepest;
    for (int i = 0; i < 500; ++i)
        deepest += "&a[n" + std::to_string(i) + "]=1&[a]" + std::to_string(i) + "=1";
    auto const deep = parse_query_string(deepest.substr(1));
    BOOST_TEST(depth(*deep.root.find("a")) == 501u);
    BOOST_TEST(is_json(dump(deep)));
}

BOOST_AUTO_TEST_CASE(the_depth_that_a_project_sets_has_a_bound) {
    auto const tree = parse_query_string("a" + repeat(5'000, "[b]"), {.depth = SIZE_MAX});
    BOOST_TEST(depth(*tree.root.find("a")) == 1'001u);
    auto const flat = parse_query_string("a[b][c]", {.depth = 0});
    BOOST_TEST(dump(flat) == R"({"a":{"b":{"[c]":null}}})");
}

BOOST_AUTO_TEST_SUITE_END()
