#include "parser/lexer.hpp"
#include "tests/unit/sample.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
using parser::Segment;
using parser::SegmentKind;

BOOST_AUTO_TEST_SUITE(key_grammar)

namespace {

// `root`, `[group]`, `(rest)`
std::string cut(std::string_view key, std::size_t depth,
                decltype(&parser::cut_key) cutter = parser::cut_key) {
    std::vector<Segment> segments = {{SegmentKind::root, "left over"}};
    cutter(key, depth, segments);
    std::string out;
    for (auto const& [kind, name] : segments) {
        if (!out.empty()) out += ' ';
        if (kind == SegmentKind::root) out.append(name);
        if (kind == SegmentKind::group) out.append("[").append(name).append("]");
        if (kind == SegmentKind::rest) out.append("(").append(name).append(")");
    }
    return out;
}

} // namespace

Sample const keys[] = {
    {"a", "a"},
    {"a[b]", "a [b]"},
    {"a[b][]", "a [b] []"},
    {"a[]", "a []"},
    {"[a]", "[a]"},
    {"[]", "[]"},
    {"[a][b]", "[a] [b]"},
    {"a[b]c", "a [b]"},
    {"a[b]c[d]e", "a [b] [d]"},
    {"a[b", "a[b"},
    {"a]b", "a]b"},
    {"a[b][c", "a [b]"},
    {"a[[b]]", "a[ [b]"},
    {"a[b[c]]", "a[b [c]"},
    {"[[]]", "[ []"},
    {"][", "]["},
    {"é[ü]", "é [ü]"},
    {"a[\xFF]", "a [\xFF]"},
    {std::string("a[\0]", 4), std::string("a [\0]", 5)},
    {"a[b c]", "a [b c]"},
    {"", ""},
};
BOOST_DATA_TEST_CASE(a_key_is_a_root_and_groups, keys) {
    BOOST_TEST(cut(sample.text, 20) == sample.expected);
}

Sample const deep_keys[] = {
    {"a[b][c]", "a [b] [c]"},
    {"a[b][c][d]", "a [b] [c] ([d])"},
    {"a[b][c]x[d]y[e]z", "a [b] [c] ([d]y[e]z)"},
    {"a[b][c]x[d", "a [b] [c]"},
    {"[a][b][c]", "[a] [b] ([c])"},
};
BOOST_DATA_TEST_CASE(what_is_beyond_the_depth_is_one_literal, deep_keys) {
    BOOST_TEST(cut(sample.text, 2) == sample.expected);
}

// qs 6.15.3 makes this of them.
Sample const keys_with_brackets_in_groups[] = {
    {"", ""},
    {"a", "a"},
    {"a]b", "a]b"},
    {"[]", "[]"},
    {"a[b]c[d]e", "a [b] [d]"},
    {"a[b", "a [[b]"},
    {"a[b][c", "a [b] [[c]"},
    {"a[[b]]", "a [[b]]"},
    {"a[b[c]]", "a [b[c]]"},
    {"a[[]b", "a [[[]b]"},
    {"][", "] [[]"},
    {"a[]][id]", "a [] [id]"},
    {"a[b][[c][d]x", "a [b] [[[c][d]x]"},
    {"a[b][c]x[d]y", "a [b] [c] ([d]y)"},
};
BOOST_DATA_TEST_CASE(a_group_may_have_brackets_in_its_name, keys_with_brackets_in_groups) {
    BOOST_TEST(cut(sample.text, 2, parser::cut_balanced_key) == sample.expected);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(percent_decode)

Sample const tokens[] = {
    {"", ""},
    {"plain", "plain"},
    {"a+b", "a b"},
    {"1%2B2", "1+2"},
    {"%26%3D", "&="},
    {"%c3%A9", "é"},
    {"%E2%82%AC", "€"},
    {"%F0%9F%98%80", "😀"},
    {"%F4%8F%BF%BF", "\U0010FFFF"},
    {"%ED%9F%BF%EE%80%80", "\uD7FF\uE000"},
    {"é%C3%A9+", "éé "},
    {"%00", std::string(1, '\0')},
    {"%25", "%"},
    {"%2525", "%25"},
};
BOOST_DATA_TEST_CASE(escapes_are_decoded_once, tokens) {
    std::string token = sample.text;
    BOOST_TEST(parser::decode_component(token) == sample.expected);
}

Sample const malformed[] = {
    {"%", "%"},
    {"%4", "%4"},
    {"%zz", "%zz"},
    {"%4z", "%4z"},
    {"%+1", "% 1"},
    {"%-1", "%-1"},
    {"%0x", "%0x"},
    {"%41+%zz", "%41 %zz"},
    {"%41%", "%41%"},
    {"%80", "%80"}, // no character starts so
    {"%FF", "%FF"},
    {"%E0%A4", "%E0%A4"},   // cut off
    {"%C3x%A9", "%C3x%A9"}, // interrupted
    {"%C3\xA9", "%C3\xA9"}, // half of it raw
    {"%C0%AF", "%C0%AF"},   // overlong
    {"%C1%BF", "%C1%BF"},
    {"%E0%80%AF", "%E0%80%AF"},
    {"%F0%80%80%AF", "%F0%80%80%AF"},
    {"%ED%A0%80", "%ED%A0%80"},       // surrogate
    {"%F4%90%80%80", "%F4%90%80%80"}, // beyond U+10FFFF
    {"%F5%80%80%80", "%F5%80%80%80"},
};
BOOST_DATA_TEST_CASE(one_malformed_escape_leaves_the_whole_token_undecoded, malformed) {
    std::string token = sample.text;
    BOOST_TEST(parser::decode_component(token) == sample.expected);
}

// The Unicode Standard, section 3.9, U+FFFD Substitution of Maximal Subparts.
Sample const bytes[] = {
    {"", ""},
    {"plain é € 😀", "plain é € 😀"},
    {"\xFF", "\uFFFD"},
    {"a\xC0\xAF"
     "b",
     "a\uFFFD\uFFFDb"},
    {"\xE0\x9F\x80", "\uFFFD\uFFFD\uFFFD"},
    {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
    {"\xF0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
    {"\xE2\x82", "\uFFFD"},
    {"\xF0\x9F\x98", "\uFFFD"},
    {"\xE2\x82x", "\uFFFDx"},
    {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
     "A",
     "\uFFFD\uFFFD\uFFFD\uFFFDA"},
    {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"é\x80é", "é\uFFFDé"},
};
BOOST_DATA_TEST_CASE(each_longest_start_of_a_character_is_replaced_once, bytes) {
    std::string text = sample.text;
    parser::replace_invalid_utf8(text);
    BOOST_TEST(text == sample.expected);
}

BOOST_AUTO_TEST_SUITE_END()
