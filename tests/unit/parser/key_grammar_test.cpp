#include "parser/lexer.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace data = boost::unit_test::data;
using parser::Segment;
using parser::SegmentKind;

BOOST_AUTO_TEST_SUITE(key_grammar)

namespace {

struct Example {
    std::string key;
    std::string segments;
};

std::ostream& operator<<(std::ostream& out, Example const& example) {
    return out << example.key;
}

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

Example const keys[] = {
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
BOOST_DATA_TEST_CASE(a_key_is_a_root_and_groups, data::make(keys)) {
    BOOST_TEST(cut(sample.key, 20) == sample.segments);
}

Example const deep_keys[] = {
    {"a[b][c]", "a [b] [c]"},
    {"a[b][c][d]", "a [b] [c] ([d])"},
    {"a[b][c]x[d]y[e]z", "a [b] [c] ([d]y[e]z)"},
    {"a[b][c]x[d", "a [b] [c]"},
    {"[a][b][c]", "[a] [b] ([c])"},
};
BOOST_DATA_TEST_CASE(what_is_beyond_the_depth_is_one_literal, data::make(deep_keys)) {
    BOOST_TEST(cut(sample.key, 2) == sample.segments);
}

// qs 6.15.3 makes this of them.
Example const keys_with_brackets_in_groups[] = {
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
BOOST_DATA_TEST_CASE(a_group_may_have_brackets_in_its_name,
                     data::make(keys_with_brackets_in_groups)) {
    BOOST_TEST(cut(sample.key, 2, parser::cut_balanced_key) == sample.segments);
}

BOOST_AUTO_TEST_SUITE_END()
